"""What leaves the floor for others: poker hands in the open hand history format, everything else as Parquet and CSV."""
