"""A game that is built from its document alone, and played."""
