"""What the tests of commands and of the Pi share: a configuration of an all-simulated table in a folder of its own."""

from tests.standing import configured, outside, program

__all__ = ["configured", "outside", "program"]
