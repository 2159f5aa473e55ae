"""The version of this distribution, by its metadata; reading them takes 20 ms."""

from importlib.metadata import version
from typing import Final

__version__: Final = version("status-contracts")
