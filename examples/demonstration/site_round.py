"""A round of the site data: the file is requested in every way and every response checked."""

from typing import Final

from demonstration.probes import Answer, Probe, Round, is_same, same_again
from sitedata.errors import SiteDataError
from sitedata.parsing import parse
from sitedata.service import PATH

__all__ = ["whole_round"]

_METHODS: Final = "GET, HEAD, OPTIONS"


def whole_round() -> Round:
    """Request everything of a service that has a snapshot."""
    whole = yield Probe("GET", PATH, 200, "the snapshot", _is_snapshot)
    yield Probe("GET", f"{PATH}?page=2", 200, "the same: there are no pages", is_same(whole))
    yield from same_again(PATH, _METHODS)
    yield Probe("GET", f"{PATH}/", 404, "not found")


def _is_snapshot(answer: Answer) -> bool:
    try:
        parse(answer.body)
    except SiteDataError:
        return False
    return answer.headers.get("content-type", "").startswith("application/json")
