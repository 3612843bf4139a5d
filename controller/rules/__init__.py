"""Rulebooks as data, and the index of their clauses."""
