"""Numbers for Prometheus at `/metrics`, of a table, a floor and the machine under either; off unless configured."""
