"""A rig: which devices are real, which simulated, and on which lines."""
