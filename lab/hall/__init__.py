"""A whole event that plays itself: a hall, simulated tables and people, under one virtual clock."""
