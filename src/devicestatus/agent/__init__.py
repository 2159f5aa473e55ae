"""The device's end of the window: privacy rules, recorder, delivery."""
