"""A house of machines, each with the real installer in mounts of its own: roll-outs, and the power cut at random."""
