"""Proof of what the table survives: a controller that dies and comes back in a world that goes on."""
