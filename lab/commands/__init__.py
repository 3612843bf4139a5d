"""Commands that join tablectl where the lab is installed."""
