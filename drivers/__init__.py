"""The host end of each wire: ports, link, one file a device."""
