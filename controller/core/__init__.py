"""The spine of a table: events in, one decision at a time, effects out."""
