"""What this computer is doing, read from the computer itself.

`readings.Capture` combines the sources into snapshots.  Each source has a file of its own, the only
one that imports its library: `machine` (psutil), `x11` (python-xlib), `mpris` (jeepney).
"""
