"""Big Wheel."""
