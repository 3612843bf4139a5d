"""A whole simulated table: its world, its people, its bench."""
