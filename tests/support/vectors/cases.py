"""The vectors: cases of the files in `vectors/`, and the bytes of their bodies."""

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

from status_contracts.adapters.contract import body_bytes

FOLDER: Final = Path(__file__).parents[3] / "vectors"

Json = dict[str, Any]
Results = dict[str, Callable[[Json], Json]]
"""Topic to the function that returns the result of an input."""


@cache
def content_of(topic: str) -> Json:
    """Return the content of the file of a topic: `devicestatus/parsing`."""
    content: Json = json.loads((FOLDER / f"{topic}.json").read_text("utf-8"))
    return content


def cases_of(topic: str) -> list[Json]:
    """Return the cases of a topic."""
    cases: list[Json] = content_of(topic)["cases"]
    return cases


def example(topic: str, case_id: str) -> bytes:
    """Return the body of a case."""
    (case,) = (case for case in content_of(topic)["cases"] if case["id"] == case_id)
    return body_bytes(case["input"]["body"])


def played_steps(given: Json) -> list[Json]:
    """Return the steps of a scenario with the texts of its responses."""
    texts = response_texts(given["responses"])
    return [
        step | {"accept": texts[step["accept"]]} if "accept" in step else step
        for step in given["steps"]
    ]


def response_texts(responses: Mapping[str, Any]) -> dict[str, str]:
    """Return the bodies of the responses of a scenario: parts, a value, or an edited one."""
    values: Json = {}
    texts: dict[str, str] = {}
    for name, response in responses.items():
        if isinstance(response, list):
            texts[name] = body_bytes(response).decode()
            continue
        value = response["json"] if "json" in response else deepcopy(values[response["of"]])
        values[name] = value
        for pointer, member in response.get("set", {}).items():
            *parents, last = pointer.split("/")[1:]
            place = value
            for step in parents:
                place = place[int(step) if isinstance(place, list) else step]
            place[int(last) if isinstance(place, list) else last] = member
        texts[name] = json.dumps(value)
    return texts


def refused_bodies(endpoint: str) -> Iterator[tuple[bytes, set[str]]]:
    """Yield the bodies of device status that an endpoint refuses, with the rules they break."""
    for case in cases_of("devicestatus/parsing"):
        rules = {finding["rule"] for finding in case["expected"].get("findings", ())}
        if rules and case["input"]["endpoint"] == endpoint:
            yield body_bytes(case["input"]["body"]), rules
