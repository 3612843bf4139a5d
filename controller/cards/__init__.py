"""Cards on antennas: what may be known of them, and what stays sealed."""
