"""Group the failures of a run by their cause, that of most checks first.

Failures have one cause if they compared the same thing with the same outcome; only data are
compared, never messages.
"""

import re
from collections.abc import Hashable, Iterable
from typing import Final

import attrs

from purewire.conformance.checks import Compared, Part, Send
from purewire.conformance.differences import NO_MEMBER
from purewire.conformance.run import Outcome, Result

_INDEX: Final = re.compile(r"/[0-9]+(?=/|$)")
_PREFLIGHT: Final = "OPTIONS"
_NOT_FOUND: Final = "404"
_NOT_IMPLEMENTED: Final = "501"


@attrs.frozen
class Cause:
    """A fault, as a phrase, with the checks that fail or cannot decide for it, in order."""

    title: str
    failed: tuple[Result, ...]
    undecided: tuple[Result, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        """Return the ids of the rules that are broken, each once."""
        return tuple(dict.fromkeys(result.rule for result in self.failed if result.rule))

    @property
    def places(self) -> tuple[str, ...]:
        """Return method and path of the requests, queries shortened, each once."""
        requests = [
            result.compared.request
            for result in (*self.failed, *self.undecided)
            if result.compared is not None and result.compared.request is not None
        ]
        return tuple(
            dict.fromkeys(f"{request.method} {_place(request.path)}" for request in requests)
        )


def find_causes(results: Iterable[Result]) -> list[Cause]:
    """Return the causes of failures and of checks that cannot decide for a failure."""
    groups: dict[Hashable, list[tuple[Compared, Result]]] = {}
    for result in results:
        if result.compared is not None:
            groups.setdefault(_key(result.compared), []).append((result.compared, result))
    causes = [_cause(group) for group in groups.values()]
    return sorted(causes, key=lambda cause: -len(cause.failed) - len(cause.undecided))


def _cause(comparisons: list[tuple[Compared, Result]]) -> Cause:
    comparisons = sorted(comparisons, key=lambda pair: pair[1].outcome is not Outcome.FAILED)
    failed = tuple(result for _, result in comparisons if result.outcome is Outcome.FAILED)
    undecided = tuple(result for _, result in comparisons[len(failed) :])
    expected = {compared.expected for compared, _ in comparisons}
    more = "" if len(expected) == 1 else f", or {len(expected) - 1} more"
    return Cause(_title(comparisons[0][0], more), failed, undecided)


def _key(compared: Compared) -> Hashable:
    """Return what failures of one cause have in common."""
    part, name = compared.part, compared.name
    if part is Part.STATUS and compared.request is not None:
        return part, *_key_of_status(compared, compared.request)
    if part is Part.HEADER:
        return part, name.lower(), compared.actual
    if part is Part.TEXT:
        return (part,)
    if part is Part.MEMBER:
        return part, _INDEX.sub("/*", name), compared.actual == NO_MEMBER
    return part, name or compared.expected, compared.actual if name else ""


def _key_of_status(compared: Compared, request: Send) -> tuple[str, ...]:
    path = _place(request.path)
    if compared.actual == _NOT_FOUND:
        return (path,)
    if compared.actual == _NOT_IMPLEMENTED:
        return (request.method,)
    is_success = compared.expected.startswith("2") and request.method != _PREFLIGHT
    return request.method, compared.expected, compared.actual, path if is_success else ""


def _title(compared: Compared, more: str) -> str:
    part, request = compared.part, compared.request
    if part is Part.STATUS and request is not None:
        if compared.actual == _NOT_FOUND:
            return f"{_place(request.path)} is not there: status 404"
        if compared.actual == _NOT_IMPLEMENTED:
            return f"{request.method} is not supported: status 501"
        return f"{request.method}: status {compared.actual} in place of {compared.expected}{more}"
    name = {Part.TEXT: "body", Part.MEMBER: _INDEX.sub("/*", compared.name) or "body"}
    what = name.get(part, compared.name)
    start = f"{what}: " if what else ""
    expected = compared.expected
    is_sentence = expected.startswith("must ")  # the message of a finding
    return f"{start}got {compared.actual}; {'' if is_sentence else 'expected '}{expected}{more}"


def _place(path: str) -> str:
    """Return a path, and whether it has a query."""
    start, mark, _ = path.partition("?")
    return f"{start}{mark and '?…'}"
