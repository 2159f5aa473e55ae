"""The file of the names that the user has confirmed, beside that of the checkpoint.

Desktops name one app differently.  Where apps come from another source than the one that answered
first under the privacy rules, the agent shows only the names that the user has confirmed in a dry
run; that source and these names are in a file of their own.

Invariant *unreadable confirms nothing*: neither does a file of other privacy rules, or one that
others may read or write.
"""

from collections.abc import Iterable

import attrs

from devicestatus.adapters.checkpoint_file import CheckpointFile, UnsafeCheckpoint
from status_contracts import json_text as codec


@attrs.frozen
class Confirmed:
    """The source and the names of some privacy rules.

    Attributes:
        source: subject of the source that answered first; None where none has.
        names: names that are shown whichever source they come from.

    """

    source: str | None = None
    names: frozenset[str] = frozenset()


@attrs.frozen
class ConfirmedFile:
    """The file of the confirmed names, which only its owner can read."""

    file: CheckpointFile
    fingerprint: str = attrs.field(repr=False)

    def load(self) -> Confirmed:
        """Return what was saved under these rules; nothing where the file cannot be used."""
        try:
            plain = codec.decode(self.file.load() or b"null")
        except (OSError, UnsafeCheckpoint, *codec.JSON_ERRORS):
            return Confirmed()
        match plain:
            case {
                "version": 1,
                "fingerprint": self.fingerprint,
                "source": str(source),
                "names": [*names],
            }:
                return Confirmed(source, frozenset(name for name in names if isinstance(name, str)))
            case _:
                return Confirmed()

    def save(self, source: str, names: Iterable[str] = ()) -> None:
        """Replace the file; raise OSError."""
        values = {"source": source, "names": sorted(set(map(str, names)))}
        self.file.save(codec.encode({"version": 1, "fingerprint": self.fingerprint, **values}))
