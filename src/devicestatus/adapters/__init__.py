"""Adapters of the pure engine: stores, asset sources, servers and agents.

An adapter imports public names of the packages and at most one third-party library, which is an
extra of the distribution; the core imports no adapter.  Adapters are less stable than the
core.  Import the module you need; this package has only the folder of its icons.
"""

from pathlib import Path
from typing import Final

APP_ICONS: Final = Path(__file__).parents[1] / "app_icons"
"""The icons of the package."""
