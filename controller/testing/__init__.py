"""What tests of devices and tables stand on; `controller/pytest_plugin.py` hands it out as fixtures."""
