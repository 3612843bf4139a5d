"""Hostile input for everything that reads: wires, reports and files, from valid samples made wrong in known ways."""
