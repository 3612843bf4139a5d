"""The games: pure functions of their events, one package a game."""
