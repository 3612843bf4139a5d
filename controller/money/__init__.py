"""Chips and what they are worth: register, colour chips, float, payment."""
