"""Setting a table up: what is asked, what is plugged in, the walk over the felt, and what is written in the end."""
