"""What plays, proves and measures the table controller; nothing of it runs beside the felt."""
