"""How the store grew, step by step."""
