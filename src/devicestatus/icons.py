"""Validate the icon manifest, and look up the icon of an app name.

Invariant *names compare in one form*: NFKC, white space runs as one space, trimmed, lower case; the
first match in manifest order wins; the name that replaces private apps never has an icon.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

import attrs

from devicestatus import limits
from devicestatus.cross_field import RULES
from devicestatus.models import SENSITIVE_APP
from devicestatus.music_urls import is_https
from devicestatus.responses import AppWithIcon, IconManifest
from status_contracts import json_text
from status_contracts.findings import Finding, pointer
from status_contracts.primitives import WHITE_SPACE
from status_contracts.structuring.decoder import ModelDecoder, ValidationError

__all__ = [
    "MANIFEST_NAME",
    "IconIndex",
    "check_manifest",
    "index_icons",
    "normalize_name",
    "parse_manifest",
]

MANIFEST_NAME: Final = "index.json"
_IMAGE_URL: Final = "/api/icons/{}.png"

_WHITE_SPACE_RUN: Final = re.compile(f"[{WHITE_SPACE}]+")

_MAX_NAME_LENGTH: Final = 5 * limits.NAME_LENGTH  # longer ones match none, in quadratic time


@attrs.frozen
class IconIndex:
    """An index of a manifest by app name; returned by `index_icons`."""

    ids: frozenset[str] = frozenset()
    _by_name: Mapping[str, str] = MappingProxyType({})

    def describe(self, name: str) -> AppWithIcon:
        """Return an app name with the paths of its icon, if it has one."""
        icon_id = self._by_name.get(normalize_name(name))
        if icon_id is None:
            return AppWithIcon(name)
        return AppWithIcon(name, f"/app-icons/{icon_id}.png", _IMAGE_URL.format(icon_id))

    def own_path(self, app: str, apps: Iterable[str]) -> str | None:
        """Return the path of the icon of an app; None if another one of some apps has it too."""
        paths = {name: self.describe(name).icon_api_url for name in {app, *apps}}
        return paths[app] if [*paths.values()].count(paths[app]) == 1 else None


_DECODER: Final = ModelDecoder(IconManifest)


def parse_manifest(body: bytes) -> IconManifest | None:
    """Return the manifest in a body, or None if it breaks any rule."""
    try:
        manifest = _DECODER.decode(body)
    except (*json_text.JSON_ERRORS, ValidationError):
        return None
    return None if _cross_field_findings(manifest) else manifest


def check_manifest(value: object) -> tuple[Finding, ...]:
    """Return every fault of a manifest's plain value."""
    manifest, findings = _DECODER.validate(value)
    return findings if manifest is None else _cross_field_findings(manifest)


def index_icons(manifest: IconManifest) -> IconIndex:
    """Build the index of a manifest."""
    by_name: dict[str, str] = {}
    for icon in manifest.icons:
        for name in (icon.app, *icon.aliases):
            if len(name) <= _MAX_NAME_LENGTH:
                by_name.setdefault(normalize_name(name), icon.id)
    by_name.pop(normalize_name(SENSITIVE_APP), None)
    return IconIndex(frozenset(icon.id for icon in manifest.icons), MappingProxyType(by_name))


def normalize_name(name: str) -> str:
    """Return the form in which names are compared."""
    return _WHITE_SPACE_RUN.sub(" ", unicodedata.normalize("NFKC", name)).strip(" ").lower()


def _cross_field_findings(manifest: IconManifest) -> tuple[Finding, ...]:
    faults: list[tuple[int, str, str]] = []
    for index, icon in enumerate(manifest.icons):
        if icon.imageUrl != _IMAGE_URL.format(icon.id):
            faults.append((index, "imageUrl", "icons.image-url"))
        if icon.sourceUrl is not None and not is_https(icon.sourceUrl):
            faults.append((index, "sourceUrl", "icons.source-url"))
    return tuple(
        Finding(pointer(("icons", index, name)), rule, RULES[rule]) for index, name, rule in faults
    )
