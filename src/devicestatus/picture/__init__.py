"""The parts of which pictures of windows are drawn; the door is `devicestatus.lanes`."""
