"""The steward of a table's machine: brings program, configuration and rulebook to what the floor has signed."""
