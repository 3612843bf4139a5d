"""Tests lie where what they hold lies; `whole/` holds what only a whole table can show."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
SCENARIOS = ROOT / "tests" / "whole" / "scenarios"
