"""What happened, row by row on disk, and what can be read from it again."""
