"""Requests that every kit sends; the rows of a product have the rules that they test."""

from status_contracts.conditional import http_date, parse_http_date
from status_contracts.conformance.http import Line, Reply, Send
from status_contracts.conformance.runner import Run, Step, Steps
from status_contracts.instants import SECOND_MS


def method_steps(run: Run, path: str) -> Steps:
    """Request a path with every method, without and with a condition."""
    for method, rule in run.kit.rows["methods"].items():
        if method.isupper() or run.client.is_exact:  # many servers refuse `get` themselves
            yield Step(rule, Send(method, path))
            condition = Send(method, path, (("If-None-Match", "*"),))
            yield Step(run.kit.rows["requests"]["conditional"], condition, "a condition")


def same_steps(run: Run, path: str, method: str = "GET") -> Steps:
    """Request a path with every method, and with header lines and queries that change nothing."""
    rows, rules = run.kit.rows, run.kit.rows["requests"]
    yield from method_steps(run, path)
    lines = tuple((name, value) for name, value in rows["ignored"])
    for line in lines:
        yield Step(rules["ignored"], Send(method, path, (line,)), ": ".join(line))
    for name in dict.fromkeys((method, "HEAD", "OPTIONS", "PUT")):
        yield Step(rules["ignored"], Send(name, path, lines), "all these lines")
    for query in rows["queries"]:
        yield Step(rules["queries"], Send(method, f"{path}?{query}"))


def unlike_steps(run: Run, path: str) -> Steps:
    """Request paths that differ a little from a path."""
    start, _, name = path.rpartition("/")
    own = {"start": start, "name": name, "upper": path.upper(), "upper_name": name.upper()}
    own |= {"coded": f"%{ord(name[0]):02x}{name[1:]}", "flat": path[1:].replace("/", "%2f")}
    return missing_steps(run, "unlike", path=path, bare=path.removeprefix("/api"), **own)


def missing_steps(run: Run, table: str, **places: str) -> Steps:
    """Request the paths of a table of rows, which do not exist."""
    for rule, rows in run.kit.rows[table].items():
        for path in (row.format(**places) for row in rows):
            for method in ("GET", "OPTIONS", "POST"):
                yield Step(rule, Send(method, path))


def conditional_steps(run: Run, rule: str, path: str, file: Reply) -> Steps:
    """Request a file with conditions on its own validators and on others."""
    tag, date, rows = file.header("etag"), file.header("last-modified"), run.kit.rows
    own = {"tag": tag, "bare": str(tag).strip('"'), "other_case": str(tag).swapcase(), "date": date}
    own["earlier"] = http_date((parse_http_date(date or "") or SECOND_MS) - SECOND_MS)
    # Without an ETag, a host need not know conditions on it.
    tags = [("If-None-Match", row.format(**own)) for row in rows["tags"] if tag is not None]
    dates = [("If-Modified-Since", row.format(**own)) for row in rows["dates"]]
    conditions: list[tuple[Line, ...]] = [(line,) for line in (*tags, *dates)]
    conditions += [(line, date) for line in tags for date in dates[:2]]
    for lines in conditions:
        for method in ("GET", "HEAD"):
            yield Step(rule, Send(method, path, lines), ", ".join(map(": ".join, lines)))
