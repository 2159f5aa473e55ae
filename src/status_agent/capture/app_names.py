"""All names of an app on Linux: what its source reports, its process, and its desktop file.

Desktops and players name one app differently: `org.keepassxc.KeePassXC` in Wayland is the class
`KeePassXC` of an X11 window.  The privacy rules compare all names that can be found here; the one
that is shown is the title in the desktop file, where what the source reports leads to one file.

Invariant *a name more, never one less*: a process or file that cannot be read adds no name.
Invariant *bounded*: at most `MAX_FILES` files are read, and of each the first `MAX_FILE_BYTES`;
they are read again when a folder of them has changed.
Source: Desktop Entry Specification; systemd, "Desktop Environment Integration".
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

import attrs

from devicestatus.agent.privacy import AppName
from status_contracts.primitives import is_visible

MAX_FILES: Final = 4096
MAX_FILE_BYTES: Final = 65_536

_ALWAYS: Final = ("/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop")
"""Folders that a service manager may leave out of XDG_DATA_DIRS."""
_ESCAPED: Final = re.compile(r"\\x([0-9a-f]{2})")
_UNITS: Final = (
    re.compile(r"app-(?:[^-]+-)?([^-]+)-[^-]+\.scope"),
    re.compile(r"app-(?:[^-]+-)?([^-@]+)(?:@.*)?\.service"),
    re.compile(r"dbus-[^-]+-([^@]+)@.*\.service"),
    re.compile(r"snap\.([^.]+)\..+\.(?:scope|service)"),
)
"""File names of the units in which service managers, the bus and snap start an app."""
_KEYS: Final = ("StartupWMClass", "X-SnapInstanceName", "X-Flatpak")

_KINDS: Final = ("ids", "classes", "programs", "titles")
"""Kinds of the names in a desktop file; those that identify the app best come first."""
_BROWSER: Final = "WebBrowser"  # a category that is a name of each app that has it
_STEAM: Final = re.compile(r"\bsteam://rungameid/(\d+)")
_FRAMES: Final = frozenset({"electron"})
"""Names of frames in which apps of others run; their process tells which app it is."""

_Stamps = tuple[tuple[Path, int], ...]
"""Folder and the time of its last change, in ns."""


@attrs.frozen
class _Entry:
    """The names in one desktop file, by kind, and its title without a language."""

    names: Mapping[str, frozenset[str]]
    title: str


def app_name(
    name: str, others: Iterable[str | None] = (), *, process: int | None = None
) -> AppName:
    """Return what is shown for an app, with all names that this machine knows of it."""
    own = {name, *filter(None, others)}
    of_process = set() if process is None else set(process_names(process))
    entries = _entries([name]) or _entries(own)
    titles = {entry.title for entry in entries if is_visible(entry.title)}
    if not titles and name.casefold() in _FRAMES:
        titles = {entry.title for entry in _entries(of_process) if is_visible(entry.title)}
    entries = _entries(own) or _entries(of_process)
    known = {name for entry in entries for names in entry.names.values() for name in names}
    shown = titles.pop() if len(titles) == 1 else name
    return AppName(shown, own | of_process | known)


def process_names(process: int) -> Iterator[str]:
    """Yield the names of a process, and of the app that a service manager started with it."""
    folder = Path("/proc", str(process))
    try:
        short = (folder / "comm").read_text("utf-8", "replace").rstrip("\n")
        units = (folder / "cgroup").read_text("utf-8", "replace")
    except OSError:
        return
    try:
        program = (folder / "exe").readlink().name
    except OSError:  # another user's
        program = short
    if program.startswith(short):  # the kernel keeps 15 bytes; an interpreter is not the app
        yield program
    yield short
    yield from app_of_unit(units.rstrip("\n").rpartition("/")[2])


def app_of_unit(unit: str) -> Iterator[str]:
    """Yield the id of the app that runs in a unit of systemd; nothing where it names none."""
    for pattern in _UNITS:
        if match := pattern.fullmatch(unit):
            yield _ESCAPED.sub(lambda code: chr(int(code[1], 16)), match[1])


def _entries(names: Iterable[str]) -> list[_Entry]:
    """Return the desktop files of an app: those that its names name best."""
    index = _index(tuple(_stamps()))
    for kind in _KINDS:
        entries = [entry for name in names for entry in index.get((kind, name.casefold()), ())]
        if entries:
            return entries
    return []


def _stamps() -> Iterator[tuple[Path, int]]:
    home = os.environ.get("XDG_DATA_HOME") or str(Path("~/.local/share").expanduser())
    listed = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    for folder in dict.fromkeys(
        [home, f"{home}/flatpak/exports/share", *listed.split(":"), *_ALWAYS]
    ):
        path = Path(folder, "applications")
        try:
            yield path, path.stat().st_mtime_ns
        except OSError:
            continue  # most machines do not have all of them


@lru_cache(maxsize=1)
def _index(stamps: _Stamps) -> Mapping[tuple[str, str], list[_Entry]]:
    """Return the desktop files by kind of name and name without case."""
    files: dict[str, Path] = {}  # the first file of an id counts
    for folder, _ in stamps:
        for path in islice(folder.rglob("*.desktop"), MAX_FILES):
            files.setdefault("-".join(path.relative_to(folder).with_suffix("").parts), path)
    index: dict[tuple[str, str], list[_Entry]] = {}
    for identity, path in islice(sorted(files.items()), MAX_FILES):
        entry = _entry(path, identity)
        for kind in _KINDS:
            for name in {name.casefold() for name in entry.names[kind]}:
                index.setdefault((kind, name), []).append(entry)
    # A program that starts several apps, such as an interpreter or a browser, names none of them.
    return {
        key: [] if key[0] == "programs" and len(entries) > 1 else entries
        for key, entries in index.items()
    }


def is_common(name: str) -> bool:
    """Check whether several apps have a name: a category, or a program that starts them."""
    program = ("programs", name.casefold())
    return name == _BROWSER or _index(tuple(_stamps())).get(program) == []


def _entry(path: Path, identity: str) -> _Entry:
    values: dict[str, str] = {}
    for line in _lines(path):
        key, _, value = line.partition("=")
        values[key.strip()] = value.strip()
    command = (part for part in values.get("Exec", "").split() if part != "env" and "=" not in part)
    program = Path(next(command, "").strip('"')).name
    titles = {value for key, value in values.items() if key.partition("[")[0] == "Name"}
    game = _STEAM.search(values.get("Exec", ""))
    classes = [*map(values.get, _KEYS), f"steam_app_{game[1]}" if game else None]
    categories = {_BROWSER} & set(values.get("Categories", "").split(";"))
    kinds = (*_KINDS, "categories")
    names = ({identity}, classes, {program}, titles, categories)
    by_kind = {
        kind: frozenset(filter(None, of_kind)) for kind, of_kind in zip(kinds, names, strict=True)
    }
    return _Entry(by_kind, values.get("Name", ""))


def text_of(raw: bytes) -> str:
    """Return a name as toolkits write it, or as the standard of X11 requires."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of the group that describes the app."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_FILE_BYTES).decode("utf-8", "replace")
    except OSError:
        return
    _, _, rest = f"\n{text}".partition("\n[Desktop Entry]")
    yield from rest.partition("\n[")[0].splitlines()
