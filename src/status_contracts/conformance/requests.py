"""Requests that every kit sends: all methods, what changes nothing, and paths that do not exist.

The rows `requests` of a product have the rules that these test.
"""

from collections.abc import Iterable, Iterator

from status_contracts.conformance.http import Line, Send
from status_contracts.conformance.runner import Run, Step, Steps

_ANY_TAG: Line = ("If-None-Match", "*")
_OVERRIDE: Line = ("X-HTTP-Method-Override", "GET")


def method_steps(run: Run, path: str) -> Steps:
    """Request a path with every method; a method stands in no query or header."""
    for method, rule in run.kit.rows["methods"].items():
        if method.isupper() or run.client.is_exact:  # many servers refuse `get` themselves
            yield from _conditional(run, rule, Send(method, path))
            yield Step(rule, Send(method, f"{path}?_method=GET", (_OVERRIDE,)), "another method")


def same_steps(run: Run, path: str, method: str = "GET") -> Steps:
    """Request a path with header lines and queries that change nothing."""
    rules = run.kit.rows["requests"]
    lines = [(tuple(line),) for line in run.kit.rows["ignored"]]
    for sent in (*lines, tuple(line for (line,) in lines)):
        for name in dict.fromkeys((method, "HEAD", "OPTIONS")):
            yield Step(rules["ignored"], Send(name, path, sent), ": ".join(sent[0]))
    for query in run.kit.rows["queries"]:
        yield from _conditional(run, rules["queries"], Send(method, f"{path}?{query}"))


def unlike_steps(run: Run, path: str) -> Steps:
    """Request paths that differ a little from a path."""
    start, _, name = path.rpartition("/")
    own = {"path": path, "start": start, "name": name, "bare": path.removeprefix("/api")}
    own |= {"upper": path.upper(), "flat": path[1:].replace("/", "%2f")}
    own |= {"upper_name": name.upper(), "coded": f"%{ord(name[0]):02x}{name[1:]}"}
    others = (row.format(**own) for row in run.kit.rows["unlike"])
    yield from _missing(run, run.kit.rows["requests"]["unlike"], others)


def unknown_steps(run: Run, **places: str) -> Steps:
    """Request the paths of the rows that do not exist."""
    for rule, rows in run.kit.rows["unknown"].items():
        yield from _missing(run, rule, (row.format(**places) for row in rows))


def _missing(run: Run, rule: str, paths: Iterable[str]) -> Iterator[Step]:
    for path in paths:
        for method in ("GET", "HEAD", "OPTIONS", "POST", "DELETE"):
            yield from _conditional(run, rule, Send(method, path))


def _conditional(run: Run, rule: str, send: Send) -> Iterator[Step]:
    """Yield a request as it is, and with a condition that any representation fulfils."""
    yield Step(rule, send)
    conditional = Send(send.method, send.path, (_ANY_TAG,))
    yield Step(run.kit.rows["requests"]["conditional"], conditional, "a condition")
