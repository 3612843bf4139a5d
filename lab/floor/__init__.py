"""A floor of simulated tables, and the broker it needs."""
