"""The form of the vector files: cases of a topic, their expected results, and the file of both.

A topic computes the expected result of a case from its input alone, which is plain JSON.  The same
function makes the files and runs the engine from them.
"""

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import attrs

__all__ = [
    "CONTRACT",
    "FOLDER",
    "FORMAT",
    "SUITE",
    "Case",
    "Topic",
    "body_bytes",
    "digest",
    "file_of",
    "text_of",
]

FORMAT: Final = 1
"""Version of the form of the files."""
SUITE: Final = "1.0.0"
"""Version of the set of cases."""
CONTRACT: Final = "0.1.0"
"""Version of the contract that the cases follow."""
FOLDER: Final = Path(__file__).parents[3] / "vectors"

Json = dict[str, Any]


@attrs.frozen
class Case:
    """One case.

    Attributes:
        title: what the case is about; its id is made of it, so it never changes.
        rules: ids of contract rules, separated by blanks.
        input: everything that the result depends on, instants included; plain JSON.
        expected: the result by hand; None where only the engine and an oracle state it.
        also: other error codes that the rules allow.

    """

    title: str
    rules: str
    input: Json
    expected: Json | None = None
    also: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The title in lower-case letters, digits and hyphens."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")


@attrs.frozen
class Topic:
    """The cases of one file.

    Attributes:
        product: name of the product, and of the folder.
        name: name of the file, without its suffix.
        title: one line for the page.
        cases: generates the cases.
        run: returns the engine's result for an input.

    """

    product: str
    name: str
    title: str
    cases: Callable[[], Iterable[Case]]
    run: Callable[[Json], Json]

    @property
    def path(self) -> Path:
        """The file of the topic."""
        return FOLDER / self.product / f"{self.name}.json"


def file_of(topic: Topic) -> Json:
    """Return the content of a topic's file.

    Raises:
        ValueError: a result differs from the one that the case states, or an id is repeated.

    """
    cases = [_plain(topic, case) for case in topic.cases()]
    ids = [case["id"] for case in cases]
    if len(set(ids)) != len(ids):
        repeated = sorted({name for name in ids if ids.count(name) > 1})
        raise ValueError(f"{topic.product}/{topic.name}: repeated ids {repeated}")
    return {
        "$schema": "../vectors.schema.json",
        "format": FORMAT,
        "suite": SUITE,
        "contract": CONTRACT,
        "product": topic.product,
        "topic": topic.name,
        "title": topic.title,
        "count": len(cases),
        "cases": cases,
    }


def _plain(topic: Topic, case: Case) -> Json:
    found = json.loads(json.dumps(topic.run(case.input)))
    if case.expected is not None:
        stated = {name: found.get(name) for name in case.expected}
        if stated != case.expected:
            raise ValueError(f"{topic.name}, {case.title}: {found} is not {case.expected}")
    plain = {
        "id": case.id,
        "rules": case.rules.split(),
        "title": case.title,
        "input": json.loads(json.dumps(case.input)),
        "expected": found,
    }
    return plain | ({"also": list(case.also)} if case.also else {})


def text_of(content: Json) -> str:
    """Return the text of a file: one line for each case, ASCII, so that every byte is visible."""
    head = {name: value for name, value in content.items() if name != "cases"}
    lines = json.dumps(head, indent=1)[:-2]
    cases = ",\n".join(f"  {json.dumps(case)}" for case in content["cases"])
    return f'{lines},\n "cases": [\n{cases}\n ]\n}}\n'


def digest(case: Json) -> str:
    """Return a digest of what a case means: its input and its expected result."""
    meaning = json.dumps([case["input"], case["expected"]], sort_keys=True)
    return hashlib.sha256(meaning.encode()).hexdigest()[:16]


def body_bytes(parts: Iterable[str | Json]) -> bytes:
    """Return the bytes of a body: text in UTF-8, base64, and repeated text, one after the other."""
    return b"".join(_part_bytes(part) for part in parts)


def _part_bytes(part: str | Json) -> bytes:
    if isinstance(part, str):
        return part.encode()
    if "base64" in part:
        return base64.b64decode(part["base64"], validate=True)
    join: str = part.get("join", "")
    return join.join(_copies(part)).encode()


def _copies(part: Json) -> Iterator[str]:
    for number in range(1, part["times"] + 1):
        yield part["repeat"].replace("#", str(number))
