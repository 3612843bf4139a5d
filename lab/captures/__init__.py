"""Captures of a line: read for a person, played against the driver, made into scenarios, held against the simulator."""
