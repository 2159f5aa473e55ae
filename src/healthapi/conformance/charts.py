"""Checks of charts: well-formed pictures that load nothing, sizes, themes, metadata."""

import re
from collections.abc import Generator, Iterator
from typing import Any, Final
from xml.etree import ElementTree as ET

from healthapi.catalog_keys import CHARTS, SERIES_METRICS
from healthapi.charts.chart import MAX_IMAGE_BYTES
from healthapi.conformance import requests
from healthapi.conformance.deployment import SUITE, Deployment, read, read_envelope
from healthapi.conformance.values import CHART, chart_metadata
from healthapi.http.endpoints import ROOT
from purewire.conformance.checks import (
    Action,
    CheckFailed,
    Reply,
    Steps,
    Unchecked,
    expect,
    expect_equal,
    expect_status,
    testing,
)
from purewire.conformance.reads import SVG, get, media_type, svg_root
from purewire.json import codec

_XLINK: Final = "{http://www.w3.org/1999/xlink}href"
_ACTIVE: Final = frozenset(
    {
        *("script", "style", "foreignObject", "image", "iframe", "audio", "video", "a", "link"),
        *("animate", "set", "handler", "feImage"),
    }
)
"""Elements that run, load or lead somewhere."""
_DECLARATION: Final = re.compile(rb"<!(?!--)|<\?(?!xml[ \t\r\n])")
_REFERENCE: Final = re.compile(r"url\(\s*[\"']?(?!#)|@import|expression\(", re.IGNORECASE)
_WHITE: Final = frozenset({"#fff", "#ffffff", "white", "rgb(255,255,255)", "rgb(100%,100%,100%)"})
_POLICY: Final = ("default-src 'none'", "sandbox", "style-src 'none'")


def _chart(deployment: Deployment, chart: str, query: str = "") -> Generator[Action, Any, Reply]:
    """Request a chart, which must succeed."""
    path = deployment.profile(f"/charts/{chart}.svg{'?' if query else ''}{query}")
    reply = yield from get(path)
    expect_status(reply, 200)
    return reply


def _parse(reply: Reply) -> ET.Element:
    """Return the root of a picture, which declares nothing."""
    match = _DECLARATION.search(reply.body)
    expect(match is None, "no document type and no processing instruction", match and match[0])
    return svg_root(reply)


def _problems(root: ET.Element) -> Iterator[str]:
    """Yield what makes a picture more than a picture."""
    for element in root.iter():
        name = element.tag.rpartition("}")[2]
        if name in _ACTIVE or not element.tag.startswith(SVG):
            yield f"the element {name}"
        for key, value in element.attrib.items():
            if key.lower().startswith("on"):
                yield f"the attribute {key}"
            if key in {"href", "src", _XLINK} and not value.startswith("#"):
                yield f"the reference {value}"
            if key == "style" or _REFERENCE.search(value):
                yield f"the attribute {key}={value}"


_CASES: Final = {chart: (chart,) for chart in CHARTS}


@SUITE.check("charts.{0}", "HA-HTTP-12", "HA-KEY-11", "HA-CHART-10", "HA-HTTP-19", cases=_CASES)
def _is_picture(deployment: Deployment, chart: str) -> Steps:
    """{0}.svg is well-formed SVG without scripts, styles and references."""
    reply = yield from _chart(deployment, chart)
    expect_equal("media type", media_type(reply), "image/svg+xml")
    root = _parse(reply)
    problem = next(_problems(root), None)
    expect(problem is None, "a picture without scripts, styles and references", problem)


@SUITE.check("charts.{0}-described", "HA-CHART-25", cases=_CASES)
def _is_described(deployment: Deployment, chart: str) -> Steps:
    """{0}.svg has a role, a name and a description of its values."""
    root = _parse((yield from _chart(deployment, chart)))
    expect_equal("role", root.get("role"), "img")
    has_name = root.get("aria-label") or root.findtext(f"{SVG}title")
    expect(has_name, "a title or aria-label", None)
    described = root.findtext(f"{SVG}desc") or root.get("aria-label") or ""
    if deployment.profile_id != deployment.empty_id:
        expect(
            any(character.isdigit() for character in described),
            "a description of its values",
            described,
        )


@SUITE.check("charts.{0}-preset", "HA-QUERY-18", "HA-QUERY-19", "HA-CHART-08", cases=_CASES)
def _has_preset(deployment: Deployment, chart: str) -> Steps:
    """{0}.svg draws its preset where no known metric is given."""
    plain = yield from _chart(deployment, chart)
    yield from expect_metadata(deployment, chart)
    for query in (
        f"granularity={CHARTS[chart].granularity}",
        *("metrics=nothing-here,Steps", "metrics=", "metrics=,,&theme=light"),
    ):
        same = yield from _chart(deployment, chart, query)
        expect(same.body == plain.body, f"the same picture with {query}", same.body)


def expect_metadata(deployment: Deployment, chart: str, query: str = "") -> Steps:
    """Expect the metadata and the size of a picture as the engine derives them."""
    reply = yield from _chart(deployment, chart, query)
    header = reply.header("x-chart-metadata") or ""
    expect(header.isascii(), "an ASCII header", header)
    try:
        metadata = codec.decode(header.encode())
    except ValueError as error:
        raise CheckFailed("JSON in X-Chart-Metadata", header or "no header") from error
    expected = yield from chart_metadata(deployment, chart, query, metadata)
    expect(metadata == expected, f"metadata {expected} of {chart}.svg?{query}", header)
    root = _parse(reply)
    size = tuple((root.get(name) or "").removesuffix("px") for name in ("width", "height"))
    expect_equal("size", size, (str(expected["width"]), str(expected["height"])))


@SUITE.check("charts.presets", *(f"HA-CHART-0{number}" for number in range(1, 6)))
def _presets(deployment: Deployment) -> Steps:
    """A chart draws the metrics of its preset, in their order."""
    for chart, preset in CHARTS.items():
        plain = yield from _chart(deployment, chart)
        path = deployment.profile(
            f"/series/{preset.granularity}?metrics={','.join(preset.metrics)}"
        )
        points = (yield from read_envelope(path, "series"))["data"]["points"]
        shown = [
            key for key in preset.metrics if any(point.get(key) is not None for point in points)
        ]
        chosen = ",".join(shown or preset.metrics)
        same = yield from _chart(deployment, chart, f"metrics={chosen}")
        expect(same.body == plain.body, f"the metrics {chosen} in {chart}", plain.body)


@SUITE.check("charts.metadata", "HA-CHART-08", "HA-CHART-09", "HA-CHART-07")
def _has_metadata(deployment: Deployment) -> Steps:
    """X-Chart-Metadata is ASCII JSON with the members of the rules; it names what was drawn."""
    query = "granularity=weekly&limit=2&width=400&height=300&theme=transparent&metrics=steps"
    for chart in CHARTS:
        yield from expect_metadata(deployment, chart, query)


@SUITE.check(
    "charts.{0}-parameters",
    "HA-CHART-07",
    *(rule for _, rule in requests.odd_queries(CHART)),
    cases=_CASES,
)
def _takes_parameters(deployment: Deployment, chart: str) -> Steps:
    """{0}.svg takes each parameter: blank, repeated, no integer, out of range."""
    for query, rule in requests.odd_queries(CHART):
        with testing(rule):
            yield from expect_metadata(deployment, chart, query)
            known = CHART.parse_query(chart, query.encode()).metrics
            if query.lower().startswith("metrics"):
                drawn = yield from _chart(deployment, chart, query)
                same = yield from _chart(deployment, chart, f"metrics={','.join(known)}")
                expect(drawn.body == same.body, f"the metrics {known} in {chart}", drawn.body)
    points = (yield from read(deployment, "/series/daily?metrics=hrv,rhr", "series"))["points"]
    if all(any(point[key] is not None for point in points) for key in ("hrv", "rhr")):
        one = yield from _chart(deployment, chart, "metrics=hrv&granularity=daily")
        other = yield from _chart(deployment, chart, "metrics=rhr&granularity=daily")
        expect(one.body != other.body, "another picture of other metrics", other.body)


@SUITE.check("charts.theme", "HA-QUERY-15", "HA-CHART-24")
def _theme(deployment: Deployment) -> Steps:
    """`light` has a white background and `transparent` none; other themes are light."""
    light = yield from _chart(deployment, "series", "theme=light")
    expect(_backgrounds(_parse(light)), "a white background of the light theme", light.body)
    backgrounds = _backgrounds(
        _parse((yield from _chart(deployment, "series", "theme=transparent")))
    )
    expect(not backgrounds, "no background of the transparent theme", backgrounds)
    for text in ("", "dark", "LIGHT", "Transparent", "%F0%9F%98%80"):
        other = yield from _chart(deployment, "series", f"theme={text}")
        expect(other.body == light.body, f"the light picture for theme={text}", other.body)


def _backgrounds(root: ET.Element) -> list[str]:
    """Return the white fills of rectangles as large as the picture."""
    sizes = {"100%", root.get("width"), root.get("height")}
    return [
        fill
        for element in root.iter(f"{SVG}rect")
        for fill in [element.get("fill", "").replace(" ", "").lower()]
        if fill in _WHITE and {element.get("width"), element.get("height")} <= sizes
    ]


@SUITE.check("charts.policy", "HA-CACHE-07")
def _policy(deployment: Deployment) -> Steps:
    """A chart has a policy that forbids scripts, styles and loading."""
    for chart in CHARTS:
        reply = yield from _chart(deployment, chart)
        policy = reply.header("content-security-policy") or ""
        parts = tuple(sorted(part.strip() for part in policy.split(";") if part.strip()))
        expect(parts == _POLICY, "; ".join(_POLICY), policy)


@SUITE.check("charts.bytes", "HA-CHART-28")
def _bytes(deployment: Deployment) -> Steps:
    """A picture has at most 64,000 bytes, the whole history at the largest size included."""
    for chart in CHARTS:
        reply = yield from _chart(deployment, chart, "width=1920&height=1080")
        expect(
            len(reply.body) <= MAX_IMAGE_BYTES, f"at most {MAX_IMAGE_BYTES} bytes", len(reply.body)
        )


@SUITE.check("charts.eight", "HA-CHART-19", "HA-CHART-20")
def _eight(deployment: Deployment) -> Steps:
    """At most eight metrics are drawn, the first distinct ones, each in a colour of its own.

    Which strokes are lines of data is not laid down, so that the strokes of eight metrics are
    compared with those of more metrics.
    """
    names = list(SERIES_METRICS["daily"])
    whole = yield from _strokes(deployment, names[:8])
    if not whole:
        raise Unchecked("the lines of the picture could not be found", inconclusive=True)
    repeated = yield from _strokes(deployment, [*names[:8], names[0]])
    expect(repeated == whole, f"the colours {sorted(whole)}", sorted(repeated))
    more = yield from _strokes(deployment, names[:12])
    expect(more == whole, f"the colours {sorted(whole)} of the first eight", sorted(more))


def _strokes(deployment: Deployment, names: list[str]) -> Generator[Action, Any, set[str]]:
    """Return the colours of the strokes of a chart of metrics."""
    root = _parse((yield from _chart(deployment, "series", f"metrics={','.join(names)}")))
    return {element.get("stroke", "none") for element in root.iter()} - {"none"}


@SUITE.check("charts.empty", "HA-CHART-23")
def _empty(deployment: Deployment) -> Steps:
    """Without values there is a picture of the same size and theme that says so."""
    profile_id = deployment.empty()
    for theme in ("light", "transparent"):
        path = f"{ROOT}/profiles/{profile_id}/charts/series.svg?theme={theme}&width=500"
        reply = yield from get(path)
        expect_status(reply, 200)
        root = _parse(reply)
        expect_equal("width", root.get("width"), "500")
        has_background = bool(_backgrounds(root))
        expect(has_background is (theme == "light"), f"the background of {theme}", reply.body)
        expect("".join(root.itertext()).strip(), "a text that says so", reply.body)
