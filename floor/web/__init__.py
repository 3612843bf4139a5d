"""The floor's pages: all tables at a glance, one table, alarms, rounds that were played, results."""
