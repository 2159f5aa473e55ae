"""Capture of apps, music, battery and load on the computer that runs this.

`capture.Capture` combines the sources into snapshots.  Each platform has a file of its own: apps
in `wayland`, `dbus` (GNOME), `x11`, `macos` and `windows`, music in `dbus` and `macos`, battery,
load and lockers in `machine`.  Which player is shown is decided in `music`.  Three files import a
library: `machine` (psutil), `x11` (python-xlib) and `dbus` (jeepney).

| system | apps | music |
| --- | --- | --- |
| sway, Hyprland and other Wayland desktops that list their windows | all | MPRIS |
| X11 desktops, i3 among them | all, as the window manager lists them | MPRIS |
| GNOME on Wayland | X11 apps only, all where the shell's unsafe mode is on | MPRIS |
| KDE Plasma on Wayland | X11 apps only: KWin has no interface that lists the others | MPRIS |
| macOS | all | Music and Spotify, once the user allows it |
| Windows | all | none |
"""
