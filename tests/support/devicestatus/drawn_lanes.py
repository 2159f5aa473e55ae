"""Parse pictures of windows strictly, for tests."""

from support.checks.xml_reading import Element, read_xml

ELEMENTS = {
    "svg": {
        *("xmlns", "x", "y", "width", "height", "viewBox", "overflow", "role"),
        *("aria-labelledby", "aria-describedby", "font-family", "font-size", "text-rendering"),
    },
    "title": {"id"},
    "desc": {"id"},
    "rect": {
        *("x", "y", "width", "height", "rx", "fill", "fill-opacity", "stroke", "stroke-dasharray")
    },
    "text": {"x", "y", "fill", "font-size", "font-weight", "text-anchor"},
    "tspan": {"x", "dx", "dy", "fill", "text-anchor", "unicode-bidi"},
    "g": {"fill", "stroke-opacity", "text-anchor"},
    "path": {"d", "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width"},
}
"""The elements and attributes of a timeline: no scripts, styles or references."""


def assert_safe(document: bytes) -> list[Element]:
    """Assert that a picture is well-formed and made of nothing else."""
    elements = read_xml(document)
    for element in elements:
        assert element.attributes.keys() <= ELEMENTS[element.name], element
        for value in element.attributes.values():
            assert "url(" not in value
    return elements
