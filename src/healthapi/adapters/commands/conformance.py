"""`healthapi conformance`: test a deployment of the API, whatever its language; it only reads."""

from argparse import Namespace

from healthapi.conformance.checks import SUITE
from purewire.adapters.commands.conformance import run_conformance
from purewire.adapters.contract import read_contract

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Test the deployment at a URL."""
    return run_conformance(arguments, SUITE, read_contract("healthapi"))
