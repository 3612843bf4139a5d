"""What the floor keeps: every row as it came, and what can be asked of them; SQLite, or PostgreSQL where configured."""
