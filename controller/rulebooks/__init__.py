"""The rulebooks: one TOML file each, with the clause beside every number, and the types of what stands in them."""
