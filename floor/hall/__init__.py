"""The hall: what runs a tournament over several tables, from its terms to its prizes."""
