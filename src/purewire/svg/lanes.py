"""Draw lanes one below the other, with their names, on a common axis.

Invariant *labels apart*: no two labels of the axis touch, and none touches a label placed before.
Invariant *inside its column*: the text beside a lane is cut where it would reach into the lane.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import attrs

from purewire.svg.axis import Scale, Tick
from purewire.svg.image import Frame
from purewire.svg.labels import Label, centered_label, place_labels, write_labels
from purewire.svg.text import fit, text_width, xml_text

AXIS_PADDING: Final = 5
"""Space left and right of a label of the axis, px."""
AXIS_SPACING: Final = 4
"""Distance from the lanes to the labels of the axis, px."""
NO_DATA: Final = "no data"
"""Text of a lane without content."""


@attrs.frozen
class Layout:
    """The sizes of a picture of lanes.

    Attributes:
        scale: maps values to px between the edges of the lanes.
        bar: height of the content of a lane, px.
        spacing: distance of two lanes, px.
        mark: the value that a line through the lanes marks; texts end before it.

    """

    frame: Frame
    scale: Scale
    bar: int
    spacing: int
    mark: int | None = None

    @property
    def has_names_beside(self) -> bool:
        """True where the names of lanes are left of them, not above."""
        return self.scale.start > self.frame.left

    def axis_label(self, text: str, value: int) -> Label:
        """Build a label of the axis at a value, or as near as it stays inside the image."""
        x, right = self.scale.place(value), self.frame.width - AXIS_PADDING
        return centered_label(text, x, self.frame.style.text, self.frame.left, right)


@attrs.frozen
class Lane:
    """A lane.

    Attributes:
        name: its name; cut where space is short.
        draw: draws its content from a y on; None for a lane without content.
        note: text below the name or, where the lane is too low, beside it; cut only where it has
            no space without any name.
        has_numbers: whether there is a row of numbers above the content.

    """

    name: str
    draw: Callable[[int], str] | None
    note: str = ""
    has_numbers: bool = False


def draw_lanes(drawn: Iterable[Lane], top: int, layout: Layout) -> tuple[str, int]:
    """Draw lanes one below the other; return them with the y at which they end."""
    scale, frame, row = layout.scale, layout.frame, layout.frame.style.row
    parts, rules, y = [], "", top
    for lane in drawn:
        name_top, name_height = y, row
        if not layout.has_names_beside:
            y += row
        if lane.has_numbers:
            y += row
        if layout.has_names_beside:
            name_height = y + layout.bar - name_top
        parts.append(_lane_name(lane, name_top, name_height, layout))
        if lane.draw is None:
            no_data = Label(NO_DATA, scale.start + 3)
            base = y - 3 if lane.has_numbers else frame.style.base_line(y, layout.bar)
            parts.append(frame.text(write_labels([no_data], base)))
        else:
            parts.append(lane.draw(y))
        y += layout.bar
        rules += f"M{scale.start} {y + 0.5}H{scale.end}"
        y += layout.spacing
    bottom = y - layout.spacing + 1
    return f'<path {frame.paper.rule} d="{rules}"/>{"".join(parts)}', bottom


def _lane_name(lane: Lane, top: int, height: int, layout: Layout) -> str:
    """Write name and note in the middle of a height, the note below the name where both fit."""
    frame, style = layout.frame, layout.frame.style
    end = layout.scale.start if layout.has_names_beside else layout.scale.end
    room: float = end - frame.left - (2 * style.gap if layout.has_names_beside else 0)
    y, note, place = style.base_line(top, height), fit(lane.note, style.text, room), ""
    if note and height >= 2 * style.row:
        y -= style.row / 2
        place = f'x="{frame.left}" dy="{style.row}"'
    elif note:
        room -= text_width(note, style.text) + style.gap
        place = f'dx="{style.gap}"'
    name = xml_text(fit(lane.name, style.text, room))
    if note:
        note = f'<tspan {place} fill="{frame.paper.text}">{xml_text(note)}</tspan>'
    look = f'fill="{frame.paper.title}"{frame.paper.edge}'
    return f'<text x="{frame.left}" y="{y:g}" {look}>{name}{note}</text>'


def draw_axis(
    ticks: Sequence[Tick], taken: Sequence[Label], top: int, bottom: int, layout: Layout
) -> str:
    """Draw a line through the lanes at each tick, and write the labels that have space below."""
    font_size, frame = layout.frame.style.text, layout.frame
    labels = [layout.axis_label(tick.label, tick.value) for tick in ticks]
    placed = place_labels([*taken, *labels], font_size, 2 * AXIS_PADDING)[len(taken) :]
    places = layout.scale.places(tick.value for tick in ticks)
    lines = "".join(f"M{x + 0.5:g} {top}V{bottom}" for x in places)
    texts = write_labels(placed, bottom + AXIS_SPACING + font_size)
    rules = f'<path {frame.paper.rule} d="{lines}"/>' if lines else ""
    return f"{rules}{frame.text(texts)}"
