"""Generated messages, one module a device; never edited by hand (python -m firmware_specs.generate)."""
