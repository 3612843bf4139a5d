"""Pictures of the screens, taken in a real browser."""
