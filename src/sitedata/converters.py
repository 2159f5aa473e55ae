"""Hooks for cattrs: a snapshot, its problems and its repository inside models of your own.

Structuring checks what `sitedata.structure` checks; `sitedata.check` warns of broken publishing
rules.
"""

from typing import Final

from cattrs import BaseConverter

from sitedata.models import Problem, Repository, Snapshot
from status_contracts.structuring.converter import ConstraintError, configure

__all__ = ["ConstraintError", "configure_converter"]

_MODELS: Final = frozenset({Problem, Repository, Snapshot})


def configure_converter(converter: BaseConverter) -> None:
    """Register hooks for the models of site data on a cattrs converter.

    The settings of the converter govern your own classes.  They do not change these: unknown
    members are kept in `extra` on every converter, nothing is coerced, and `unstructure` returns
    plain JSON values.  Errors are those of cattrs; their leaves are `KeyError` for a missing
    member, and `ConstraintError`.
    """
    configure(converter, _MODELS, "refuse")
