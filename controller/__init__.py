"""The table: events, journal, machine, games, rulebooks, staff, pages, commands."""
