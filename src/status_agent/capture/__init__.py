"""Capture of apps, music, battery and load on the computer that runs this.

`capture.Capture` combines the sources into snapshots.  Each platform has a file of its own: apps
in `wayland`, `x11`, `macos` and `windows`, music in `dbus` and `macos`, battery,
load and lockers in `machine`.  Which player is shown is decided in `music`.  Three files import a
library: `machine` (psutil), `x11` (python-xlib) and `dbus` (jeepney).

| system | apps | music |
| --- | --- | --- |
| sway, Hyprland and other Wayland desktops that list their windows | all | MPRIS |
| X11 desktops, i3 among them | all, as the window manager lists them | MPRIS |
| GNOME and KDE Plasma on Wayland | X11 apps only: they do not list the others | MPRIS |
| macOS | all | Music and Spotify, once the user allows it |
| Windows | all | none |
"""
