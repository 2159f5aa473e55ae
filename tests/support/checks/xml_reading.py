"""XML as a strict parser reads it: the elements of a document in order, for tests."""

from xml.parsers.expat import ParserCreate

import attrs


@attrs.define
class Element:
    """One element; `text` is what stands directly in it."""

    name: str
    attributes: dict[str, str]
    text: str = ""


def read_xml(document: bytes) -> list[Element]:
    """Return the elements in document order; raises ExpatError for anything ill-formed."""
    elements: list[Element] = []
    open_ones: list[Element] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        elements.append(Element(name, attributes))
        open_ones.append(elements[-1])

    def end(name: str) -> None:
        open_ones.pop()

    def characters(text: str) -> None:
        open_ones[-1].text += text

    parser = ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = characters
    parser.Parse(document, True)
    return elements
