"""What travels on the wire: one declaration per device, and the codec made from it."""
