"""Draw the app icons that ship with the service, and write their manifest.

Needs Pillow::

    python tools/draw_icons.py src/devicestatus/adapters/app_icons

The pictures are the project's own and show kinds of apps, no maker's logo.  Every coordinate is in
pixels of the finished icon; everything is drawn four times as large and averaged down.  The same
Pillow gives the same bytes, another one at least the same pixels.
"""

import argparse
import hashlib
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from PIL import Image, ImageDraw

SIZE: Final = 128
OVERSIZE: Final = 4
EDGE: Final = 6  # clear space around the tile
CORNER: Final = 26  # radius of the tile's corners
CREDIT: Final = "Drawn for this project; CC0 1.0"

Point = tuple[float, float]
Colour = str

WHITE: Final = "#ffffff"


class Pen:
    """Draws on one oversized layer, in coordinates of the finished icon."""

    def __init__(self, layer: Image.Image) -> None:
        self._draw = ImageDraw.Draw(layer)

    def box(self, start: Point, end: Point, radius: float, colour: Colour) -> None:
        """Fill a rectangle with round corners."""
        self._draw.rounded_rectangle(_scaled(start, end), radius * OVERSIZE, fill=colour)

    def disc(self, centre: Point, radius: float, colour: Colour) -> None:
        """Fill a circle."""
        x, y = centre
        corners = _scaled((x - radius, y - radius), (x + radius, y + radius))
        self._draw.ellipse(corners, fill=colour)

    def oval(self, centre: Point, radii: Point, thickness: float, colour: Colour) -> None:
        """Outline an ellipse."""
        (x, y), (wide, high) = centre, radii
        corners = _scaled((x - wide, y - high), (x + wide, y + high))
        self._draw.ellipse(corners, outline=colour, width=round(thickness * OVERSIZE))

    def area(self, points: Sequence[Point], colour: Colour) -> None:
        """Fill a polygon."""
        self._draw.polygon(_scaled(*points), fill=colour)

    def line(self, points: Sequence[Point], thickness: float, colour: Colour) -> None:
        """Draw a line with round ends and corners."""
        width = round(thickness * OVERSIZE)
        self._draw.line(_scaled(*points), fill=colour, width=width)
        for point in points:
            self.disc(point, thickness / 2, colour)


def _scaled(*points: Point) -> list[Point]:
    return [(x * OVERSIZE, y * OVERSIZE) for x, y in points]


def browser(pen: Pen) -> None:
    """A globe."""
    centre = (64, 64)
    pen.oval(centre, (35, 35), 5, WHITE)
    pen.oval(centre, (16, 35), 5, WHITE)
    for y, half in ((47, 28), (64, 32), (81, 28)):
        pen.line([(64 - half, y), (64 + half, y)], 4.5, WHITE)


def terminal(pen: Pen) -> None:
    """A prompt with its cursor."""
    pen.line([(36, 44), (57, 64), (36, 84)], 9, "#7ee787")
    pen.line([(66, 86), (92, 86)], 9, WHITE)


def code_editor(pen: Pen) -> None:
    """Angle brackets around a slash."""
    pen.line([(45, 42), (26, 64), (45, 86)], 8.5, WHITE)
    pen.line([(83, 42), (102, 64), (83, 86)], 8.5, WHITE)
    pen.line([(72, 36), (56, 92)], 8.5, "#ffd866")


def mail(pen: Pen) -> None:
    """An envelope."""
    pen.box((26, 40), (102, 90), 8, WHITE)
    pen.line([(30, 46), (64, 70), (98, 46)], 5.5, "#0b6bb8")


def music_player(pen: Pen) -> None:
    """Two notes under one beam."""
    pen.area([(48, 38), (90, 28), (90, 42), (48, 52)], WHITE)
    pen.line([(50.5, 44), (50.5, 86)], 5, WHITE)
    pen.line([(87.5, 34), (87.5, 76)], 5, WHITE)
    pen.disc((42, 87), 11, WHITE)
    pen.disc((79, 77), 11, WHITE)


def video_player(pen: Pen) -> None:
    """A play sign."""
    pen.disc((64, 64), 38, WHITE)
    pen.area([(53, 45), (53, 83), (85, 64)], "#6d28d9")


def calendar(pen: Pen) -> None:
    """A leaf with rings and days."""
    pen.box((30, 34), (98, 100), 9, WHITE)
    pen.box((30, 34), (98, 56), 9, "#b3261e")
    pen.box((30, 46), (98, 56), 0, "#b3261e")
    for x in (46, 82):
        pen.line([(x, 28), (x, 42)], 6, WHITE)
    for row, y in enumerate((67, 78, 89)):
        for x in (44, 57, 70, 83)[: 4 if row < 2 else 2]:  # noqa: PLR2004 - the last week is short
            pen.disc((x, y), 3.6, "#b3261e" if (x, row) == (57, 1) else "#8a8f98")


def notes(pen: Pen) -> None:
    """A sheet with a folded corner and lines."""
    pen.area([(36, 28), (78, 28), (94, 44), (94, 102), (36, 102)], WHITE)
    pen.area([(78, 28), (94, 44), (78, 44)], "#d6a400")
    for y, end in ((58, 84), (71, 84), (84, 68)):
        pen.line([(47, y), (end, y)], 5, "#8a6d00")


def files(pen: Pen) -> None:
    """A folder."""
    pen.box((24, 34), (66, 60), 7, "#bcdcff")
    pen.box((24, 44), (104, 94), 8, "#bcdcff")
    pen.box((24, 53), (104, 96), 8, WHITE)


def chat(pen: Pen) -> None:
    """A speech bubble with dots."""
    pen.box((24, 34), (104, 84), 20, WHITE)
    pen.area([(40, 78), (66, 78), (40, 102)], WHITE)
    for x in (45, 64, 83):
        pen.disc((x, 59), 5.5, "#1a7f37")


def photos(pen: Pen) -> None:
    """A picture of mountains under the sun."""
    pen.box((24, 32), (104, 96), 9, WHITE)
    pen.box((31, 39), (97, 89), 4, "#9fe0dc")
    pen.disc((82, 53), 7, "#ffd866")
    pen.area([(31, 85), (54, 56), (77, 85), (77, 89), (31, 89)], "#0f766e")
    pen.area([(62, 89), (80, 67), (97, 87), (97, 89)], "#115e59")


def settings(pen: Pen) -> None:
    """A gear."""
    for tooth in range(8):
        turn = tooth * math.tau / 8
        pen.area([_polar(turn + bend, far) for bend, far in _TOOTH], WHITE)
    pen.disc((64, 64), 28, WHITE)
    pen.disc((64, 64), 12, "#4b5563")


_TOOTH: Final = ((-0.27, 24), (-0.19, 39), (0.19, 39), (0.27, 24))


def _polar(turn: float, far: float) -> Point:
    return 64 + far * math.cos(turn), 64 + far * math.sin(turn)


class Icon(NamedTuple):
    """One icon: how it is drawn, and which apps it stands for."""

    id: str
    app: str
    colours: tuple[Colour, Colour]
    """Of the tile, at the top and at the bottom."""
    picture: Callable[[Pen], None]
    aliases: str


ICONS: Final = (
    Icon(
        "web-browser",
        "Web Browser",
        ("#2f8fe8", "#1558b0"),
        browser,
        "Firefox, firefox-esr, firefox.exe, Firefox Developer Edition, Navigator, Librewolf,"
        " Chromium, chromium-browser, Google Chrome, Google-chrome, chrome, chrome.exe, Safari,"
        " Microsoft Edge, Microsoft-edge, msedge, msedge.exe, Brave Browser, Brave-browser, brave,"
        " brave.exe, Opera, opera.exe, Vivaldi, Vivaldi-stable, vivaldi.exe, Arc, Zen Browser, zen,"
        " Tor Browser, Epiphany, org.gnome.Epiphany, Falkon, org.kde.falkon, qutebrowser",
    ),
    Icon(
        "terminal",
        "Terminal",
        ("#3a4048", "#15181d"),
        terminal,
        "Gnome-terminal, gnome-terminal-server, org.gnome.Terminal, Console, kgx,"
        " org.gnome.Console, Konsole, org.kde.konsole, XTerm, UXTerm, URxvt, xfce4-terminal,"
        " Alacritty, kitty, Ghostty, com.mitchellh.ghostty, foot, WezTerm,"
        " org.wezfurlong.wezterm, Tilix, Terminator, iTerm2, iTerm, Warp, Windows Terminal,"
        " WindowsTerminal, WindowsTerminal.exe, Command Prompt, cmd.exe, PowerShell,"
        " Windows PowerShell, powershell.exe, pwsh",
    ),
    Icon(
        "code-editor",
        "Code Editor",
        ("#6366f1", "#3730a3"),
        code_editor,
        "Visual Studio Code, Code, Code - OSS, code-oss, Code.exe, VSCodium, codium, Cursor,"
        " Zed, dev.zed.Zed, Sublime Text, sublime_text, IntelliJ IDEA, jetbrains-idea,"
        " jetbrains-idea-ce, PyCharm, jetbrains-pycharm, jetbrains-pycharm-ce, WebStorm,"
        " jetbrains-webstorm, GoLand, jetbrains-goland, CLion, jetbrains-clion, RustRover,"
        " jetbrains-rustrover, Android Studio, jetbrains-studio, Xcode, Visual Studio, devenv.exe,"
        " Emacs, Vim, gvim, Neovim, nvim, Neovide, Helix, Kate, org.kde.kate, GNOME Builder,"
        " org.gnome.Builder",
    ),
    Icon(
        "mail",
        "Mail",
        ("#38bdf8", "#0369a1"),
        mail,
        "Thunderbird, thunderbird-esr, thunderbird.exe, Mozilla Thunderbird, Betterbird, Evolution,"
        " org.gnome.Evolution, Geary, org.gnome.Geary, KMail, org.kde.kmail2, Apple Mail,"
        " Outlook, Microsoft Outlook, OUTLOOK.EXE, olk.exe, Mailspring, Proton Mail, Spark",
    ),
    Icon(
        "music-player",
        "Music Player",
        ("#fb7185", "#be123c"),
        music_player,
        "Music, Spotify, Spotify.exe, iTunes, Apple Music, Rhythmbox, org.gnome.Rhythmbox3,"
        " Lollypop, org.gnome.Lollypop, Clementine, Strawberry, Elisa, org.kde.elisa, Amarok,"
        " Audacious, DeaDBeeF, foobar2000, TIDAL, Deezer, YouTube Music, Plexamp, Quod Libet",
    ),
    Icon(
        "video-player",
        "Video Player",
        ("#a78bfa", "#6d28d9"),
        video_player,
        "VLC, VLC media player, vlc.exe, mpv, Celluloid, io.github.celluloid_player.Celluloid,"
        " Totem, org.gnome.Totem, Videos, Showtime, org.gnome.Showtime, Haruna, org.kde.haruna,"
        " Dragon Player, SMPlayer, IINA, QuickTime Player, TV, Media Player, Movies & TV,"
        " mpc-hc64.exe, Kodi, Plex, Jellyfin Media Player",
    ),
    Icon(
        "calendar",
        "Calendar",
        ("#f87171", "#dc2626"),
        calendar,
        "gnome-calendar, org.gnome.Calendar, KOrganizer, org.kde.korganizer, Merkuro,"
        " org.kde.merkuro.calendar, iCal, Fantastical, BusyCal, Outlook Calendar, Google Calendar",
    ),
    Icon(
        "notes",
        "Notes",
        ("#fcd34d", "#d97706"),
        notes,
        "Obsidian, obsidian.exe, Notion, Joplin, Logseq, Evernote, Bear, Simplenote,"
        " Standard Notes, OneNote, Microsoft OneNote, ONENOTE.EXE, Sticky Notes, Stickies,"
        " Notepad, notepad.exe, Notepad++, notepad++.exe, TextEdit, gedit, org.gnome.gedit,"
        " Text Editor, gnome-text-editor, org.gnome.TextEditor, KWrite, org.kde.kwrite, Mousepad",
    ),
    Icon(
        "files",
        "Files",
        ("#60a5fa", "#2563eb"),
        files,
        "Nautilus, org.gnome.Nautilus, Dolphin, org.kde.dolphin, Thunar, Nemo, Caja, Pcmanfm,"
        " pcmanfm-qt, Finder, Path Finder, File Explorer, Windows Explorer, explorer.exe, Explorer",
    ),
    Icon(
        "chat",
        "Chat",
        ("#4ade80", "#15803d"),
        chat,
        "Messages, Signal, Signal Desktop, Telegram, Telegram Desktop, TelegramDesktop,"
        " org.telegram.desktop, Telegram.exe, WhatsApp, WhatsApp.exe, Slack, slack.exe, Discord,"
        " Discord.exe, Vesktop, Element, Fractal, org.gnome.Fractal, NeoChat, org.kde.neochat,"
        " Microsoft Teams, teams-for-linux, ms-teams.exe, WeChat, QQ, LINE, Mattermost,"
        " Zulip, HexChat, Polari, Skype, Zoom, zoom.us, Zoom Workplace",
    ),
    Icon(
        "photos",
        "Photos",
        ("#2dd4bf", "#0f766e"),
        photos,
        "Preview, Image Viewer, Eye of GNOME, eog, org.gnome.eog, Loupe, org.gnome.Loupe,"
        " Gwenview, org.kde.gwenview, gThumb, org.gnome.gThumb, Shotwell, digiKam,"
        " org.kde.digikam, darktable, Lightroom, Adobe Lightroom, Nomacs, feh, Ristretto,"
        " Microsoft Photos, Photos.exe, IrfanView",
    ),
    Icon(
        "settings",
        "Settings",
        ("#9ca3af", "#4b5563"),
        settings,
        "System Settings, System Preferences, gnome-control-center, org.gnome.Settings,"
        " systemsettings, org.kde.systemsettings, Xfce4-settings-manager, Control Panel,"
        " SystemSettings.exe, control.exe, Tweaks, gnome-tweaks",
    ),
)


def drawn(icon: Icon) -> Image.Image:
    """Draw the picture of an icon on its tile."""
    large = SIZE * OVERSIZE
    top, bottom = (Image.new("RGB", (large, large), colour) for colour in icon.colours)
    shade = Image.linear_gradient("L").resize((large, large), Image.Resampling.BILINEAR)
    tile = Image.composite(bottom, top, shade)
    icon.picture(Pen(tile))
    shape = Image.new("L", (large, large))
    Pen(shape).box((EDGE, EDGE), (SIZE - EDGE - 1, SIZE - EDGE - 1), CORNER, WHITE)
    tile.putalpha(shape)
    return averaged(tile)


def averaged(large: Image.Image) -> Image.Image:
    """Shrink by averaging: the shape apart, so that no edge darkens the colours."""
    shape = large.getchannel("A").reduce(OVERSIZE)
    small = large.convert("RGB").reduce(OVERSIZE)
    small.putalpha(shape)
    return small


def described(icon: Icon, image: bytes) -> dict[str, Any]:
    """Return the icon's entry of the manifest."""
    return {
        "id": icon.id,
        "app": icon.app,
        "aliases": icon.aliases.split(", "),
        "imageUrl": f"/api/icons/{icon.id}.png",
        "source": "installed-app",
        "credit": CREDIT,
        "sourceUrl": None,
        "sha256": hashlib.sha256(image).hexdigest(),
    }


def write(folder: Path) -> None:
    """Write every icon and the manifest."""
    entries = []
    for icon in ICONS:
        path = folder / f"{icon.id}.png"
        drawn(icon).save(path, "PNG", optimize=True)
        entries.append(described(icon, path.read_bytes()))
    manifest = json.dumps({"version": 1, "icons": entries}, indent=2, ensure_ascii=False)
    (folder / "index.json").write_text(f"{manifest}\n", "utf-8")


def main() -> None:
    """Write into the folder that the command line names."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("folder", type=Path, help="existing folder for the PNGs and index.json")
    write(options.parse_args().folder)


if __name__ == "__main__":
    main()
