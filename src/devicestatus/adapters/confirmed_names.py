"""The source of apps that privacy rules are for, and the names that a user has confirmed.

Desktops name one app differently.  Where apps come from another source than the one that answered
first under the rules, the agent shows only the names that the user has confirmed in a dry run.

Invariant *of the same rules*: what was saved under other privacy rules does not count.
Invariant *unreadable confirms nothing*: neither does a file that others may read or write.
"""

from collections.abc import Iterable

import attrs

from devicestatus.adapters.checkpoint_file import CheckpointFile, UnsafeCheckpoint
from purewire.json import codec


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
    """The file of the confirmed names, which only its owner can read.

    Attributes:
        file: the file.
        fingerprint: of the privacy rules in force.

    """

    file: CheckpointFile
    fingerprint: str = attrs.field(repr=False)

    def load(self) -> Confirmed:
        """Return what was saved under these rules; nothing where the file cannot be used."""
        try:
            found = codec.decode(self.file.load() or b"null")
        except (OSError, UnsafeCheckpoint, *codec.JSON_ERRORS):
            return Confirmed()
        match found:
            case {"fingerprint": self.fingerprint, "source": str(source), "names": [*names]}:
                return Confirmed(source, frozenset(filter(_is_text, names)))
            case _:
                return Confirmed()

    def save(self, source: str, names: Iterable[str] = ()) -> None:
        """Replace the file; raise OSError."""
        values = {"source": source, "names": sorted(set(map(str, names)))}
        self.file.save(codec.encode({"version": 1, "fingerprint": self.fingerprint, **values}))


def _is_text(value: object) -> bool:
    return isinstance(value, str)
