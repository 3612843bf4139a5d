"""Attacks on a table by somebody who stands beside it or holds its disk, each with what must hold; 127.0.0.1 only."""
