"""The numbers of the package, each with its unit and its reason."""

from typing import Final

__all__ = ["FINDINGS_CAP"]

FINDINGS_CAP: Final = 100
"""Findings of one value: more help nobody, and a hostile file shall not make millions."""
