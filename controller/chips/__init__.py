"""Chips and what they are worth: register, colour chips, float, payment."""

from controller.chips.dress import ChipRegister

__all__ = ["ChipRegister"]
