"""Requests that every kit sends; the rows `requests` of a product have the rules they test."""

from collections.abc import Iterator

from status_contracts.conformance.http import Send
from status_contracts.conformance.runner import Run, Step, Steps


def method_steps(run: Run, path: str) -> Steps:
    """Request a path with every method."""
    for method, rule in run.kit.rows["methods"].items():
        if method.isupper() or run.client.is_exact:  # many servers refuse `get` themselves
            yield from _conditional(run, rule, Send(method, path))


def same_steps(run: Run, path: str, method: str = "GET") -> Steps:
    """Request a path with every method, and with header lines and queries that change nothing."""
    rows, rules = run.kit.rows, run.kit.rows["requests"]
    yield from method_steps(run, path)
    for name, rule in rows["methods"].items():
        override = (("X-HTTP-Method-Override", "GET"),)
        if name.isupper():
            yield Step(rule, Send(name, f"{path}?_method=GET", override), "another method")
    lines = [(name, value) for name, value in rows["ignored"]]
    for sent in (*((line,) for line in lines), tuple(lines)):
        for name in dict.fromkeys((method, "HEAD", "OPTIONS")):
            yield Step(rules["ignored"], Send(name, path, sent), ": ".join(sent[0]))
    for query in rows["queries"]:
        yield from _conditional(run, rules["queries"], Send(method, f"{path}?{query}"))


def unlike_steps(run: Run, path: str) -> Steps:
    """Request paths that differ a little from a path."""
    start, _, name = path.rpartition("/")
    own = {"start": start, "name": name, "upper": path.upper(), "upper_name": name.upper()}
    own |= {"coded": f"%{ord(name[0]):02x}{name[1:]}", "flat": path[1:].replace("/", "%2f")}
    for row in run.kit.rows["unlike"]:
        other = row.format(path=path, bare=path.removeprefix("/api"), **own)
        yield from missing_steps(run, run.kit.rows["requests"]["unlike"], other)


def unknown_steps(run: Run, **places: str) -> Steps:
    """Request the paths of the rows that do not exist."""
    for rule, rows in run.kit.rows["unknown"].items():
        for row in rows:
            yield from missing_steps(run, rule, row.format(**places))


def missing_steps(run: Run, rule: str, path: str) -> Iterator[Step]:
    """Request a path that does not exist."""
    yield from _conditional(run, rule, Send("GET", path))
    for method in ("HEAD", "OPTIONS", "POST", "DELETE"):
        yield Step(rule, Send(method, path))


def _conditional(run: Run, rule: str, send: Send) -> Iterator[Step]:
    yield Step(rule, send)
    any_tag = Send(send.method, send.path, (("If-None-Match", "*"),))
    yield Step(run.kit.rows["requests"]["conditional"], any_tag, "a condition")
