"""All checks of site data: importing the package fills the suite."""

from functools import partial
from typing import Final

import attrs

from purewire.conformance.checks import FULL, Check, Profile, Steps, Suite
from sitedata.conformance import files, serving
from sitedata.conformance.deployment import SUITE, Deployment, learn
from sitedata.serving.service import PATH

__all__ = ["make_suite"]

_MODULES = (files, serving)

_PROFILES: Final = {
    FULL: Profile("the file and how it is served"),
    "file": Profile("the file on any host", skip=("http", "errors")),
}


def make_suite(_read_vectors: object, *, path: str = PATH) -> Suite[Deployment]:
    """Return all checks, for a file at some path below the base URL.

    All but `file.status` are not decided where the response is not the file.
    """
    checks = [attrs.evolve(check, steps=partial(_of_file, check)) for check in SUITE.checks]
    suite = Suite(SUITE.product, partial(learn, path=path), checks=checks)
    suite.profiles = _PROFILES
    return suite


def _of_file(check: Check[Deployment], deployment: Deployment) -> Steps:
    if check.id != "file.status":
        deployment.require_file()
    yield from check.steps(deployment)
