"""Gaming days for the tests of evidence."""

from __future__ import annotations

from datetime import date

HOUR = 3_600_000
DAY = 24 * HOUR
NOON = 1_700_000_000_000 // DAY * DAY + DAY // 2
"""Noon, UTC, of 2023-11-14."""
FIRST = date(2023, 11, 14)
