"""Lanes with names on a common axis."""

import attrs

from purewire.svg.axis import Scale, Tick
from purewire.svg.image import Frame, Style
from purewire.svg.labels import Label
from purewire.svg.lanes import NO_DATA, Lane, Layout, draw_axis, draw_lanes
from purewire.svg.palette import paper_of
from support.checks.xml_reading import Element, read_xml

FRAME = Frame(200, 10, 190, Style(title=13, text=10, row=14, sample=10, gap=5), paper_of("light"))
BESIDE = Layout(FRAME, Scale(0, 100, 90, 190), bar=20, spacing=8)
ABOVE = attrs.evolve(BESIDE, scale=Scale(0, 100, 10, 190))


def drawn(*lanes: Lane, layout: Layout = BESIDE) -> tuple[list[Element], int]:
    svg, bottom = draw_lanes(lanes, 50, layout)
    return read_xml(f"<g>{svg}</g>".encode()), bottom


def lane(name: str, *, has_numbers: bool = False) -> Lane:
    """Return a lane that writes the y at which its content starts."""
    return Lane(name, lambda y: f"<rect y='{y}'/>", has_numbers=has_numbers)


class TestDrawLanes:
    def test_lanes_follow_each_other(self) -> None:
        elements, bottom = drawn(lane("a"), lane("b", has_numbers=True), lane("c"))
        tops = [element.attributes["y"] for element in elements if element.name == "rect"]
        assert tops == ["50", "92", "120"]
        assert bottom == 141

    def test_names_above_need_a_row(self) -> None:
        elements, _ = drawn(lane("a"), lane("b", has_numbers=True), layout=ABOVE)
        tops = [element.attributes["y"] for element in elements if element.name == "rect"]
        assert tops == ["64", "120"]

    def test_there_is_a_line_below_each(self) -> None:
        elements, _ = drawn(lane("a"), lane("b"))
        assert elements[1].attributes["d"] == "M90 70.5H190M90 98.5H190"

    def test_names_and_notes_are_text(self) -> None:
        for layout in (BESIDE, ABOVE):
            elements, _ = drawn(Lane("<a>", None, "<b>"), layout=layout)
            texts = [element.text for element in elements if element.text]
            assert texts == ["<a>", "<b>", NO_DATA]


class TestDrawAxis:
    """Invariant *labels apart*."""

    def axis(self, *taken: Label) -> list[Element]:
        ticks = [Tick(0, "first"), Tick(50, "middle"), Tick(100, "last")]
        return read_xml(f"<g>{draw_axis(ticks, taken, 20, 80, BESIDE)}</g>".encode())

    def test_each_tick_has_a_line_and_a_label(self) -> None:
        _, lines, _, *texts = self.axis()
        assert lines.attributes["d"] == "M90.5 20V80M140.5 20V80M190.5 20V80"
        assert [text.text for text in texts] == ["first", "middle", "last"]
        assert float(texts[-1].attributes["x"]) < 190

    def test_a_label_that_touches_another_is_left_out(self) -> None:
        _, _, _, *texts = self.axis(Label("taken", 140, "middle"))
        assert [text.text for text in texts] == ["first", "last"]
