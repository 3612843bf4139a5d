"""The people at a simulated table: a dealer, a supervisor and players, who see what people see and press keys."""
