"""The configuration of one table: what `table.toml` may say, read and checked."""
