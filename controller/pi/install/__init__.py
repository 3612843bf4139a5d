"""What brings the program onto a Pi: the offline bundle, and the checks its installer makes with it."""
