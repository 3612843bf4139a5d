"""Casino War: one engine; what differs between the houses stands in their rulebook files."""
