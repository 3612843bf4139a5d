"""Breaks each rule on purpose, one at a time and in memory only, and asks whether a marked test notices."""
