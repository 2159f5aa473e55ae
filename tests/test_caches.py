"""The cached functions of the core: computed again, their results are the same.

Coverage needs these tests: which test calls a cached function first in a process, and whether that
one is traced, depends on how tests are distributed over processes.
"""

import functools
import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs
import pytest

import devicestatus
import healthapi
import purewire
import sitedata
from devicestatus import Snapshot
from devicestatus.responses import Health
from devicestatus.validation.music_urls import ITUNES
from healthapi.http.endpoints import ENDPOINTS
from healthapi.rows.records import ActivityRow
from purewire.structuring.to_builtins import Misfit

PACKAGES: Final = (devicestatus, healthapi, purewire, sitedata)
"""The packages with a core; `adapters` are not measured."""


def cached_functions() -> Iterator[tuple[str, Any]]:
    """Generate the cached functions of all modules, by name."""
    for package in PACKAGES:
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".adapters" not in found.name:
                module = importlib.import_module(found.name)
                for name, value in vars(module).items():
                    own = getattr(value, "__module__", None) == found.name
                    if own and isinstance(value, functools._lru_cache_wrapper):
                        yield f"{found.name}.{name}", value


CACHED: Final = dict(cached_functions())
ARGUMENTS: Final[dict[str, tuple[object, ...]]] = {
    "devicestatus.conformance.deployment._decoder": (Snapshot,),
    "devicestatus.conformance.values._rows": (Snapshot,),
    "devicestatus.testing.strategies._states": (ITUNES,),
    "devicestatus.validation.parse._response_decoder": (Health,),
    "devicestatus.testing.strategies._events": (ITUNES, 2),
    "devicestatus.testing.strategies._seqs": (2,),
    "devicestatus.testing.strategies._gaps": (2,),
    "healthapi.conformance.deployment.problem_of_form": ("overview", b"{}"),
    "healthapi.importing.texts.day_of": ("2026-01-31",),
    "healthapi.importing.texts.day_text": (20_484,),
    "healthapi.redaction.names._cached": ("api_key",),
    "healthapi.redaction.normalize._plain_letters": ("é",),
    "healthapi.rows.columns._cell_types": (ActivityRow,),
    "purewire.instants._minute": ("2026-01-31T12:00:",),
    "purewire.instants._minute_text": (29_497_680,),
    "purewire.structuring.constraints.value_type": (Snapshot,),
    "purewire.structuring.to_builtins._converter": (Snapshot, Misfit),
    "sitedata.reading.times.read_day": ("2026-01-31",),
    "sitedata.reading.times._time_of_day": ("T12:00",),
    "sitedata.reading.times._second": (":00Z",),
    "sitedata.views.selecting._site": ("https://leetcode.com",),
}
"""Arguments for the functions that need some."""


def test_the_names_exist() -> None:
    assert ARGUMENTS.keys() <= CACHED.keys()


@pytest.mark.parametrize("name", CACHED)
def test_a_new_result_is_like_the_cached_one(name: str) -> None:
    function, arguments = CACHED[name], ARGUMENTS.get(name, ())
    cached, new = function(*arguments), function.__wrapped__(*arguments)
    assert type(new) is type(cached)
    if isinstance(cached, int | str | tuple | Mapping):
        assert new == cached


def test_properties_of_new_endpoints_equal_the_cached_ones() -> None:
    for endpoint in ENDPOINTS:
        new = attrs.evolve(endpoint)
        assert (new.keys, new.key) == (endpoint.keys, endpoint.key)
        assert new.of_profile == endpoint.of_profile
