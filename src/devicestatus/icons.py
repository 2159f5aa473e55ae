"""The icon manifest, and which icon an app name has.

Source: device-status specification, "IconManifest", "InstalledAppIcon", "AppWithIcon"; rulings
under "Badge and icons".  The manifest is a finite list that ships with a deployment.

Invariant *names compare folded*: NFKC, white space runs to one space, trimmed, lower case; the
first match in manifest order wins; the name that stands for a sensitive app never has an icon.
"""

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

import attrs

from devicestatus import limits
from devicestatus.catalog import is_https
from devicestatus.rules import RULES
from devicestatus.snapshot import SENSITIVE_APP, AppName
from purewire import jsontext
from purewire.absent import ABSENT, Absent
from purewire.findings import Finding, pointer
from purewire.shapes import Items, Pattern, Text
from purewire.structuring import TwoPaths
from purewire.text import WHITE_SPACE

__all__ = [
    "ICON_ID",
    "MANIFEST_NAME",
    "AppWithIcon",
    "IconIndex",
    "IconManifest",
    "InstalledAppIcon",
    "check_manifest",
    "fold",
    "index_icons",
    "read_manifest",
]

ICON_ID: Final = r"[a-z0-9]+(?:-[a-z0-9]+)*"
"""Lower-case letters or digits in segments joined by single hyphens."""
MANIFEST_NAME: Final = "index.json"

_BLANKS: Final = re.compile(f"[{WHITE_SPACE}]+")

_LONGEST_NAME: Final = 5 * limits.NAME_LENGTH
"""Code points: no app name folds to the same as a longer one, and folding costs their square."""

_IconId = Annotated[str, Pattern(re.compile(ICON_ID), "hyphenated lower-case letters or digits")]
_SomeText = Annotated[str, Text(1)]


@attrs.frozen
class InstalledAppIcon:
    """One icon of the manifest; members are named as on the wire.

    Attributes:
        id: names the PNG.
        app: the app's name.
        aliases: other names of the app, at least one.
        imageUrl: `/api/icons/<id>.png`.
        credit: who made the image.
        sourceUrl: https URL of its origin, or None.
        sha256: digest of the PNG, 64 lower-case hex digits, or ABSENT.
        source: `installed-app`.

    """

    id: _IconId
    app: _SomeText
    aliases: Annotated[tuple[_SomeText, ...], Items(least=1)]
    imageUrl: Annotated[str, Text()]  # noqa: N815 - the wire's name
    source: Literal["installed-app"]
    credit: _SomeText
    sourceUrl: Annotated[str, Text()] | None  # noqa: N815 - the wire's name
    sha256: (
        Annotated[str, Pattern(re.compile(r"[0-9a-f]{64}"), "64 lower-case hex digits")] | Absent
    ) = ABSENT


@attrs.frozen
class IconManifest:
    """The finite list of icons that ships with a deployment."""

    version: Literal[1]
    icons: Annotated[tuple[InstalledAppIcon, ...], Items()]


@attrs.frozen
class AppWithIcon:
    """An app name with its icon's paths.

    Attributes:
        name: the app's name, kept even when there is no icon.
        icon_url: static PNG, relative to the deployment root; None for unknown apps.
        icon_api_url: the same image through the service; None for unknown apps.

    """

    name: AppName
    icon_url: Annotated[str, Text()] | None = None
    icon_api_url: Annotated[str, Text()] | None = None


@attrs.frozen
class IconIndex:
    """A manifest made ready for look-ups; build it with `index_icons`."""

    ids: frozenset[str] = frozenset()
    _by_name: Mapping[str, str] = MappingProxyType({})

    def describe(self, name: str) -> AppWithIcon:
        """Give an app name with the paths of its icon, if it has one."""
        found = self._by_name.get(fold(name))
        if found is None:
            return AppWithIcon(name)
        return AppWithIcon(name, f"/app-icons/{found}.png", _image_url(found))


_MANIFESTS: Final = TwoPaths(IconManifest, cap=limits.FINDINGS_CAP)


def read_manifest(body: bytes) -> IconManifest | None:
    """Give the manifest in a body, or None where it breaks any rule."""
    try:
        manifest, findings = _MANIFESTS.decode(body)
    except (jsontext.JsonTextError, jsontext.JsonDepthError):
        return None
    if findings or _relations(manifest):
        return None
    valid: IconManifest = manifest
    return valid


def check_manifest(value: object) -> tuple[Finding, ...]:
    """Give every fault of a manifest's plain value."""
    manifest, findings = _MANIFESTS.read(value)
    return findings or _relations(manifest)


def index_icons(manifest: IconManifest) -> IconIndex:
    """Make a manifest ready for look-ups."""
    by_name: dict[str, str] = {}
    for icon in manifest.icons:
        for name in (icon.app, *icon.aliases):
            if len(name) <= _LONGEST_NAME:
                by_name.setdefault(fold(name), icon.id)
    by_name.pop(fold(SENSITIVE_APP), None)
    return IconIndex(frozenset(icon.id for icon in manifest.icons), MappingProxyType(by_name))


def fold(name: str) -> str:
    """Give the form of a name in which names are compared."""
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", name)).strip(" ").lower()


def _image_url(icon_id: str) -> str:
    return f"/api/icons/{icon_id}.png"


def _relations(manifest: IconManifest) -> tuple[Finding, ...]:
    faults: list[tuple[int, str, str]] = []
    for index, icon in enumerate(manifest.icons):
        if icon.imageUrl != _image_url(icon.id):
            faults.append((index, "imageUrl", "icons.image-url"))
        if icon.sourceUrl is not None and not is_https(icon.sourceUrl):
            faults.append((index, "sourceUrl", "icons.source-url"))
    return tuple(
        Finding(pointer(("icons", index, name)), rule, RULES[rule]) for index, name, rule in faults
    )
