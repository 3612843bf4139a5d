"""Seeded random walks over a game with the inputs a real table gets, and what they find."""
