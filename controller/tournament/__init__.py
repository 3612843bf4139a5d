"""What a table and a hall both compute for a tournament: terms, standings, prizes, what is certain, tickets; pure."""
