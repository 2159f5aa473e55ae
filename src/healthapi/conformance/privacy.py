"""Checks of what must not be public: secrets by name, texts, paths, links elsewhere."""

import re
from collections.abc import Generator, Iterator
from functools import partial
from typing import Any, Final
from urllib.parse import quote, urljoin, urlsplit

from healthapi.conformance.deployment import (
    JSON_ENDPOINTS,
    SUITE,
    Deployment,
    expect_absent,
    paths_of,
    plain_value,
)
from healthapi.conformance.values import PUBLISHED
from healthapi.http.endpoints import ROOT
from healthapi.redaction import PRIVATE, PrivacySettings, clean, is_ordinary
from purewire.conformance.checks import (
    Action,
    Steps,
    Unchecked,
    expect,
    expect_status,
)
from purewire.conformance.differences import differences
from purewire.conformance.reads import get
from purewire.primitives import ABSENT

_MOST_LINKS: Final = 200
_KEY: Final = re.compile("[a-z0-9]+(?:_[a-z0-9]+)*")


# Secrets


def _secrets(value: object, settings: PrivacySettings) -> list[tuple[str, str]]:
    """Return the pointers of values that sanitising changes, and whether by name or as a text.

    A name without a value reveals nothing.
    """
    return [
        (difference.pointer, "name" if difference.actual is ABSENT else "text")
        for difference in differences(value, clean(value, settings))
        if difference.expected is not None
    ]


def _account_paths(deployment: Deployment, part: str) -> Generator[Action, Any, list[str]]:
    """Return the paths of one part of the API: `account`, `tables`, `profile` or `service`."""
    paths = []
    for endpoint in JSON_ENDPOINTS:
        if _part_of(endpoint.name, of_profile=endpoint.of_profile) == part:
            paths += yield from paths_of(deployment, endpoint)
    return paths


def _part_of(resource: str, *, of_profile: bool) -> str:
    if resource.startswith("snapshot"):
        return "account"
    return ("tables" if resource.startswith("table") else "profile") if of_profile else "service"


def _has_no_secret(part: str, deployment: Deployment) -> Steps:
    for path in (yield from _account_paths(deployment, part)):
        reply = yield from get(path)
        value = plain_value(reply)
        if value is None:
            raise Unchecked(f"GET {path} is not JSON of status 200", inconclusive=True)
        places = [where for where, how in _secrets(value, PUBLISHED) if how == "name"]
        # The value is not quoted: the report may be published.
        expect(not places, "nothing that is a secret by its name", f"{path} at {places[:5]}")


_BY_NAME: Final = ("HA-PRIVACY-02", "HA-PRIVACY-03", "HA-PRIVACY-05", "HA-PRIVACY-11")
_BY_TEXT: Final = ("HA-PRIVACY-01", "HA-PRIVACY-02", "HA-PRIVACY-06", "HA-PRIVACY-12")


for _part in ("account", "tables", "profile", "service"):
    SUITE.add(
        f"secrets.{_part}-by-name",
        f"No member of {_part} data has the name of a secret, at any depth",
        (*_BY_NAME, *(("HA-PRIVACY-01",) if _part == "account" else ())),
        partial(_has_no_secret, _part),
    )


@SUITE.check("secrets.tables-texts", "HA-PRIVACY-14")
def _table_texts(deployment: Deployment) -> Steps:
    """Every text in the rows of a table is ordinary, or a key."""
    for path in (yield from _account_paths(deployment, "tables")):
        body = plain_value((yield from get(path)))
        data = body.get("data") if isinstance(body, dict) else None
        rows = data.get("rows") if isinstance(data, dict) else None
        cells = [cell for row in rows or () if isinstance(row, dict) for cell in row.items()]
        texts = [text for name, text in cells if isinstance(text, str) and name != "unit"]
        texts = [text for text in texts if not _KEY.fullmatch(text)]
        expect(all(map(is_ordinary, texts)), f"ordinary texts in {path}", "another text")


@SUITE.check("secrets.texts", *_BY_TEXT)
def _texts(deployment: Deployment) -> Steps:
    """Every text of the snapshot is ordinary, at any depth."""
    reply = yield from get(deployment.profile("/snapshot"))
    body = plain_value(reply)
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        raise Unchecked("the snapshot is no envelope with data", inconclusive=True)
    account = {name: value for name, value in data.items() if name != "profile_id"}
    places = [where for where, _ in _secrets(account, PUBLISHED)]
    expect(not places, "ordinary texts", f"the snapshot at {places[:5]}")


@SUITE.check("secrets.identity", "HA-PRIVACY-09")
def _identity(deployment: Deployment) -> Steps:
    """Data that name or locate the person are published only if the owner says so."""
    for part in ("account", "profile", "service"):
        for path in (yield from _account_paths(deployment, part)):
            reply = yield from get(path)
            secrets = _secrets(plain_value(reply), PRIVATE)
            places = [where for where, how in secrets if how == "name"]
            if places:
                reason = f"{path} has personal data at {places[0]}: only the owner knows if it may"
                raise Unchecked(reason, inconclusive=True)


@SUITE.check("secrets.token-block", "HA-PRIVACY-03", "HA-PRIVACY-04", "HA-SNAPSHOT-09")
def _token_block(deployment: Deployment) -> Steps:
    """The snapshot has `granted_scopes`, and no type, expiry, scope text or user of a token."""
    reply = yield from get(deployment.profile("/snapshot"))
    body = plain_value(reply)
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        raise Unchecked("the snapshot is no envelope with data", inconclusive=True)
    expect(isinstance(data.get("granted_scopes"), list), "granted_scopes", sorted(data))
    names = [name for name in data if name.startswith("token_") or name == "expires_in"]
    expect(not names, "no metadata of the token", names)


# Traversal

_OUTSIDE: Final = (
    "%2e%2e",
    "%2e",
    ".",
    "..%2f..%2f..%2fetc%2fpasswd",
    "..%5c..%5cwindows",
    "%2fetc%2fpasswd",
    "..",
    "%252e%252e",
    "%c0%ae%c0%ae",
    "%00",
    "%ff",
    ".git",
    "cache",
    "auth",
    "csv",
    "*",
    "%7e",
    "a" * 129,
    "%EF%BC%8E%EF%BC%8E",
)


@SUITE.check("traversal.profiles", "HA-KEY-05", "HA-KEY-06", "HA-KEY-04")
def _profile_ids(deployment: Deployment) -> Steps:
    """A profile id that is no listed name is profile_not_found, never a path."""
    known = deployment.profile_id or "a"
    others = (
        f"{known}%2f..%2f{known}",
        f"{known}%00",
        f"{known}%0a",
        f"{known}+",
        f"%20{known}",
        f"{known}%2f",
        f".%2f{known}",
    )
    for profile_id in (*_OUTSIDE, *others):
        for subpath in ("", "/overview"):
            if profile_id in {".", ".."} and not subpath:
                continue  # clients remove these before they send
            yield from expect_absent(f"{ROOT}/profiles/{profile_id}{subpath}", "profile_not_found")


@SUITE.check("traversal.keys", "HA-KEY-01", "HA-HTTP-18")
def _keys(deployment: Deployment) -> Steps:
    """A key is looked up, never used as a path."""
    for subpath, code in (
        ("/datasets/", "dataset_not_found"),
        ("/tables/", "table_not_found"),
        ("/snapshot/endpoints/", "snapshot_endpoint_not_found"),
        ("/metrics/", "metric_not_found"),
    ):
        for key in ("%2e%2e", "..%2f..%2fauth%2ftokens.json", "%2fetc%2fpasswd", "%00", "%ff"):
            yield from expect_absent(deployment.profile(f"{subpath}{key}"), code)


# Links


def _links_of(value: object) -> Iterator[str]:
    """Yield the links of a body: `href`, and the members of `links`, `docs`, `sample_links`."""
    if isinstance(value, list):
        for child in value:
            yield from _links_of(child)
    if isinstance(value, dict):
        for name, child in value.items():
            if name == "href" and isinstance(child, str):
                yield child
            elif name in {"links", "docs", "sample_links"} and isinstance(child, dict):
                yield from (link for link in child.values() if isinstance(link, str))
            else:
                yield from _links_of(child)


def _linking(deployment: Deployment) -> list[str]:
    below = ("", "/datasets", "/tables", "/snapshot/endpoints")
    own = [] if deployment.profile_id is None else [*map(deployment.profile, below)]
    return [ROOT, f"{ROOT}/profiles", *own]


def _targets(path: str, body: object) -> Iterator[tuple[str, str, str]]:
    """Yield each link with its start before the index, and its path at the deployment."""
    for link in _links_of(body.get("data") if isinstance(body, dict) else None):
        whole = urljoin(f"http://deployment.invalid{path}", link)
        start, root, rest = whole.partition(ROOT)
        yield link, start if root else whole, f"{ROOT}{rest}" if root else ""


@SUITE.check("links.below-the-base", "HA-LINK-01", "HA-LINK-02")
def _links_are_below(deployment: Deployment) -> Steps:
    """Links are relative to the URL of the response, or all begin with one base URL."""
    starts: dict[str, str] = {}
    for path in _linking(deployment):
        reply = yield from get(path)
        body = plain_value(reply)
        for link, start, target in _targets(path, body):
            expect(target, f"a link below {ROOT} in {path}", link)
            starts.setdefault(start, link)
            parts = urlsplit(link)
            is_plain = parts.username is None and not parts.fragment
            expect(is_plain, "a link without credentials and fragment", link)
    if not starts:
        raise Unchecked("no response has a link", inconclusive=True)
    expect(len(starts) == 1, "relative links, or one base URL", list(starts.values()))


@SUITE.check("links.answer", "HA-LINK-03")
def _links_answer(deployment: Deployment) -> Steps:
    """Every link leads to a path that responds with 200."""
    seen: dict[str, None] = {}
    for path in _linking(deployment):
        reply = yield from get(path)
        for _, _, target in _targets(path, plain_value(reply)):
            if target and not _is_of_other(target, deployment):
                seen[target] = None
    if not seen:
        raise Unchecked("no response has a link", inconclusive=True)
    for target in [*seen][:_MOST_LINKS]:
        reply = yield from get(target)
        expect_status(reply, 200)


def _is_of_other(target: str, deployment: Deployment) -> bool:
    """Check whether a link belongs to a profile that is not read, and may be unavailable."""
    start = f"{ROOT}/profiles/"
    own = quote(deployment.profile_id or "", safe="")
    return target.startswith(start) and target[len(start) :].partition("/")[0] != own
