"""The agent's side of a window: privacy rules, recorder, delivery."""
