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
from typing import Final

import attrs

from devicestatus import limits
from devicestatus.models.icon_manifest import AppWithIcon, IconManifest
from devicestatus.models.snapshot import SENSITIVE_APP
from devicestatus.validation.music_urls import is_https
from devicestatus.validation.rule_ids import RULES
from purewire.findings import Finding, pointer
from purewire.json import codec
from purewire.structuring.decoder import ModelDecoder
from purewire.text import WHITE_SPACE

__all__ = [
    "MANIFEST_NAME",
    "IconIndex",
    "check_manifest",
    "fold",
    "index_icons",
    "read_manifest",
]

MANIFEST_NAME: Final = "index.json"

_BLANKS: Final = re.compile(f"[{WHITE_SPACE}]+")

_LONGEST_NAME: Final = 5 * limits.NAME_LENGTH
"""Code points: no app name folds to the same as a longer one, and folding costs their square."""


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


_MANIFESTS: Final = ModelDecoder(IconManifest, cap=limits.FINDINGS_CAP)


def read_manifest(body: bytes) -> IconManifest | None:
    """Give the manifest in a body, or None where it breaks any rule."""
    try:
        manifest, findings = _MANIFESTS.decode_with_findings(body)
    except (codec.JsonTextError, codec.JsonDepthError):
        return None
    if findings or _relations(manifest):
        return None
    valid: IconManifest = manifest
    return valid


def check_manifest(value: object) -> tuple[Finding, ...]:
    """Give every fault of a manifest's plain value."""
    manifest, findings = _MANIFESTS.validate(value)
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
