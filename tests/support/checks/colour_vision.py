"""Colours as eyes see them, for tests: contrast by WCAG 2.2, and difference by CIEDE2000."""

from coloraide import Color

SIGHTS = ("normal", "protan", "deutan", "tritan")
"""All kinds of cones, or one that is missing."""


def channels(color: str) -> tuple[int, int, int]:
    """Return red, green and blue of `#rrggbb`, or of `#rgb`."""
    red, green, blue = (round(255 * part) for part in Color(color).coords())
    return red, green, blue


def contrast(one: str, other: str) -> float:
    return Color(one).contrast(other, method="wcag21")


def mixed(color: str, page: str, share: float) -> str:
    """Return a colour of an opacity as it looks on a page."""
    return Color(page).mix(color, share, space="srgb").to_string(hex=True)


def seen(color: str, sight: str) -> Color:
    """Return a colour as it looks to an eye, by the matrices of Machado, Oliveira and Fernandes."""
    if sight == "normal":
        return Color(color)
    return Color(color).filter(sight, 1, method="machado").clip()


def difference(one: Color, other: Color) -> float:
    """Return the CIEDE2000 difference; 1 can just be seen side by side."""
    return one.delta_e(other, method="2000")
