"""What tests of devices and tables stand on; `lab/plugin/fixtures.py` hands it out as fixtures."""
