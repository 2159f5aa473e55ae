"""What this computer is doing, read from the computer itself.

`readings.Capture` combines the sources into snapshots.  Each source has a file of its own: apps in
`sway` (also i3), `hyprland`, `wayland`, `gnome`, `x11`, `macos` and `windows`, music in `mpris` and
`macosmusic`, battery and load in `machine`.  Three files import a library each, and nobody else
does: `machine` (psutil), `x11` (python-xlib), `sessionbus` (jeepney).

| system | apps | music |
| --- | --- | --- |
| sway, i3, Hyprland, wlroots | all, over the compositor's own socket | MPRIS |
| other X11 desktops | all, as the window manager lists them | MPRIS |
| GNOME on Wayland | X11 apps only, all where the shell's unsafe mode is on | MPRIS |
| KDE Plasma on Wayland | X11 apps only: KWin has no interface that tells the others | MPRIS |
| macOS | all | Music and Spotify, once the person allows it |
| Windows | all | none |
"""
