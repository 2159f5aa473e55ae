"""Compare the engine with the vectors."""

import json
from collections.abc import Callable, Mapping
from typing import Final

from support.vectors import device, health, site
from support.vectors.cases import Json, cases_of

RESULTS: Final[Mapping[str, Callable[[Json], Json]]] = {
    f"{product}/{topic}": result
    for product, results in {
        "devicestatus": device.RESULTS,
        "healthapi": health.RESULTS,
        "sitedata": site.RESULTS,
    }.items()
    for topic, result in results.items()
}
"""Topic, as `devicestatus/parsing`, to the function that returns the result of an input."""


def failures_of(topic: str) -> list[str]:
    """Return the ids of cases for which the engine has another result."""
    return [
        case["id"]
        for case in cases_of(topic)
        if json.loads(json.dumps(RESULTS[topic](case["input"]))) != case["expected"]
    ]
