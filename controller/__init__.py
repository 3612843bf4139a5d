"""The table: events, journal, machine, games, rulebooks, staff, pages, commands."""

VERSION = "0.1.0"
"""As `pyproject.toml` says it too; to ask what is installed would load a dozen modules for one word."""
