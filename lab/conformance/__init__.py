"""One suite that every device must pass: a simulator, the reference, or real firmware."""
