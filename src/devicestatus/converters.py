"""Hooks for cattrs: the models of the contract inside models of your own.

Structuring checks types, limits and members.  Rules between members also need the time and the
music catalog: `devicestatus.check_snapshot` and `check_window` check them on a model.
"""

from typing import Final

import attrs
from cattrs import BaseConverter

from devicestatus import models
from devicestatus.responses import BODIES, IconManifest
from status_contracts.structuring.converter import ConstraintError, configure

__all__ = ["ConstraintError", "configure_converter"]

_PUBLIC: Final = (getattr(models, name) for name in models.__all__)
_RECORDS: Final[frozenset[type]] = frozenset({IconManifest, *filter(attrs.has, _PUBLIC)})


def configure_converter(converter: BaseConverter) -> None:
    """Register hooks for the models of the contract on a cattrs converter.

    The settings of the converter govern your own classes.  They do not change the contract's:
    `Snapshot` and `Window` refuse unknown members on every converter, the response bodies of
    `devicestatus.responses` ignore them, nothing is coerced, and `unstructure` returns plain JSON
    values.  Errors are those of cattrs; their leaves are `KeyError` for a missing member,
    `cattrs.ForbiddenExtraKeysError` and `ConstraintError`.
    """
    configure(converter, _RECORDS, "refuse")
    configure(converter, BODIES - _RECORDS, "drop")
