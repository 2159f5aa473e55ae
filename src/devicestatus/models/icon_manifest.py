"""Models of the icon manifest, and of an app name with its icon.

Contract: DS-SLICE-08, DS-ICON-04, DS-MANIFEST-01 to 03, DS-MANIFEST-05, DS-MANIFEST-07.
"""

import re
from typing import Annotated, Final, Literal

import attrs

from devicestatus.models.snapshot import AppName
from purewire.absent import ABSENT, Absent
from purewire.structuring.constraints import Items, Pattern, Text

ICON_ID: Final = r"[a-z0-9]+(?:-[a-z0-9]+)*"
"""Lower-case letters or digits in segments joined by single hyphens."""


_IconId = Annotated[str, Pattern(re.compile(ICON_ID), "hyphenated lower-case letters or digits")]


_SomeText = Annotated[str, Text(1)]


@attrs.frozen
class InstalledAppIcon:
    """One icon of the manifest; fields have the names of the JSON members.

    Attributes:
        id: file name of the PNG, without its suffix.
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
    aliases: Annotated[tuple[_SomeText, ...], Items(min_length=1)]
    imageUrl: Annotated[str, Text()]  # noqa: N815 - name of the JSON member
    source: Literal["installed-app"]
    credit: _SomeText
    sourceUrl: Annotated[str, Text()] | None  # noqa: N815 - name of the JSON member
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
    """An app name with the paths of its icon.

    Attributes:
        name: the app's name, present even without an icon.
        icon_url: static PNG, relative to the deployment root; None for unknown apps.
        icon_api_url: the same image through the service; None for unknown apps.

    """

    name: AppName
    icon_url: Annotated[str, Text()] | None = None
    icon_api_url: Annotated[str, Text()] | None = None
