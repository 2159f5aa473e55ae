"""Playback of windows in a consumer."""
