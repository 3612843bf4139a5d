"""Scenarios: what the world does, in one JSON file, played through the whole stack under the virtual clock."""
