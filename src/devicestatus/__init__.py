"""Contract models and a pure engine for device status."""
