"""The device end of each wire: one file a device, plus people and faults."""
