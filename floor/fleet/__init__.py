"""All tables' machines from one place: what each has, and bringing them to something new, a few at a time."""
