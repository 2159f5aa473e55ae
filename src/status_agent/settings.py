"""Read the settings of an agent from a TOML file, and write one to start with.

Invariant *all errors are reported*: a file with any problem raises `SettingsError` with all, each
with its line.
Invariant *no secret*: the file names the file of the token; a token is no setting.
"""

import os
from collections.abc import Mapping
from errno import ENOTDIR
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import attrs
from platformdirs import user_config_path

from devicestatus.agent.privacy import PrivacyRules, Switches
from devicestatus.devices import NAME_RULE, is_device_name
from devicestatus.limits import NAME_LENGTH
from status_agent.capture.music import Wishes
from status_contracts.adapters import toml_text
from status_contracts.adapters.files import PRIVATE
from status_contracts.findings import Finding
from status_contracts.instants import MINUTE_MS
from status_contracts.primitives import ABSENT, Absent
from status_contracts.structuring.constraints import Integer, Items, MapOf, Predicate, Text
from status_contracts.structuring.decoder import SettingsError, parse_settings

Mode = Literal["realtime", "eco", "buffered"]
"""`realtime` and `eco` send the present state, `buffered` a window of the last 15 minutes."""

_TEMPLATE: Final = Path(__file__).with_name("agent.toml")
_RULES_FINDING: Final = Finding(
    "/privacy/replace",
    "agent.rules",
    "a replacement has no white space around it, and `hide` does not match it",
)


def _check_app(text: str) -> None:
    if not PrivacyRules(names=[text]).names:
        raise ValueError("a blank name matches nothing")


_APP: Final = Predicate(_check_app, "agent.app", "the name of an app, or a pattern, and not blank")
_Apps = Annotated[tuple[Annotated[str, _APP], ...], Items()]
_Path = Annotated[str, Text(1, 1000)]


_DEVICE: Final = Predicate.of(is_device_name, "agent.device", NAME_RULE)


@attrs.frozen
class _Privacy:
    hide: _Apps | Absent = ABSENT
    show_only: _Apps | Absent = ABSENT
    replace: Annotated[Mapping[str, Annotated[str, Text(1, NAME_LENGTH)]], MapOf(_APP)] | Absent = (
        ABSENT
    )
    apps: bool | Absent = ABSENT
    running_apps: bool | Absent = ABSENT
    music: bool | Absent = ABSENT
    battery: bool | Absent = ABSENT
    system: bool | Absent = ABSENT
    hide_after_idle_minutes: Annotated[int, Integer(1, 1440)] | Absent = ABSENT


@attrs.frozen
class _Music:
    players: _Apps | Absent = ABSENT
    ignore: _Apps | Absent = ABSENT


@attrs.frozen
class _File:
    url: Annotated[str, Text(1, 2000)] | Absent = ABSENT
    token_file: _Path | Absent = ABSENT
    device: Annotated[str, _DEVICE] | Absent = ABSENT
    mode: Mode | Absent = ABSENT
    insecure: bool | Absent = ABSENT
    checkpoint: _Path | Absent = ABSENT
    privacy: _Privacy | Absent = ABSENT
    music: _Music | Absent = ABSENT


@attrs.frozen(kw_only=True)
class AgentSettings:
    """The settings of an agent.

    Attributes:
        url: of the service, without `/api` and without the device.
        token_file: file of the ingest token.
        device: name of this computer at a service of several; its uploads go below it.
        mode: what is sent, and how often.
        insecure: whether the token may be sent over plain HTTP to other machines.
        checkpoint: file that keeps the session of `buffered`; None is the user's state folder.
        idle_ms: time without input after which no apps are sent; None is never.
        rules: the privacy rules.
        wishes: the players whose music is sent.

    """

    url: str | None = None
    token_file: Path | None = None
    device: str | None = None
    mode: Mode = "realtime"
    insecure: bool = False
    checkpoint: Path | None = None
    idle_ms: int | None = None
    rules: PrivacyRules = attrs.field(factory=PrivacyRules)
    wishes: Wishes = attrs.field(factory=Wishes)

    @property
    def service_url(self) -> str | None:
        """URL of the service for this device, without `/api`."""
        if self.url is None or self.device is None:
            return self.url
        return f"{self.url.rstrip('/')}/{self.device}"


def default_path() -> Path:
    """Return the usual place of the settings on this platform, whether there is a file or not."""
    return user_config_path("status-contracts", appauthor=False, roaming=True) / "agent.toml"


def write_template(path: Path) -> None:
    """Write a settings file with comments, which only its owner can read; raise OSError.

    An existing file is not replaced: FileExistsError.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR)) from None
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(path, flags, PRIVATE), "wb") as file:
        file.write(_TEMPLATE.read_bytes())


def load_agent_settings(path: Path) -> AgentSettings:
    """Read a settings file; the names of files in it are relative to its folder.

    Raises:
        OSError: it cannot be read.
        SettingsError: it breaks rules.

    """
    return toml_text.parse_settings(toml_text.read(path), partial(_parse, folder=path.parent))


def _parse(tables: object, folder: Path) -> AgentSettings:
    try:
        return _settings(parse_settings(tables, _File), folder)
    except ValueError:  # of the privacy rules, which quote nothing; it may be none of one key
        raise SettingsError((_RULES_FINDING,)) from None


def _settings(file: _File, folder: Path) -> AgentSettings:
    privacy, music = file.privacy or _Privacy(), file.music or _Music()
    idle = privacy.hide_after_idle_minutes
    members: dict[str, Any] = {
        "url": file.url,
        "token_file": folder / Path(file.token_file).expanduser() if file.token_file else ABSENT,
        "device": file.device,
        "mode": file.mode,
        "insecure": file.insecure,
        "checkpoint": folder / Path(file.checkpoint).expanduser() if file.checkpoint else ABSENT,
        "idle_ms": ABSENT if idle is ABSENT else idle * MINUTE_MS,
        "rules": _rules(privacy),
        "wishes": Wishes(music.players or (), music.ignore or ()),
    }
    return AgentSettings(**{name: value for name, value in members.items() if value is not ABSENT})


def _rules(privacy: _Privacy) -> PrivacyRules:
    switches = {field.name: getattr(privacy, field.name) for field in attrs.fields(Switches)}
    return PrivacyRules(
        names=privacy.hide or (),
        only=privacy.show_only or (),
        replace=privacy.replace or {},
        switches=Switches(**{name: on for name, on in switches.items() if on is not ABSENT}),
    )
