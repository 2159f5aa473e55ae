"""Colours as eyes see them, for tests: contrast, colour blindness, difference.

Contrast is that of WCAG 2.2.  Colour blindness is simulated by the matrices of Machado, Oliveira
and Fernandes (2009) for a missing kind of cone; difference is CIEDE2000 between D65 colours.
"""

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Triple = tuple[float, float, float]

SIGHTS: dict[str, tuple[Triple, Triple, Triple]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ: tuple[Triple, Triple, Triple] = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE: Triple = (0.95047, 1.0, 1.08883)


def channels(color: str) -> tuple[int, int, int]:
    """Return the channels of `#rrggbb`, or of `#rgb`."""
    digits = color.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue


def light(color: str) -> Triple:
    """Return the channels as amounts of light, 0 to 1."""
    red, green, blue = (_linear(channel / 255) for channel in channels(color))
    return red, green, blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def contrast(one: str, other: str) -> float:
    dark, bright = sorted(_times(TO_XYZ, light(color))[1] for color in (one, other))
    return (bright + 0.05) / (dark + 0.05)


def seen(color: str, sight: str) -> Triple:
    """Return L*, a* and b* of a colour as it looks to an eye."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in _times(SIGHTS[sight], light(color)))
    x, y, z = (
        _response(part / white)
        for part, white in zip(_times(TO_XYZ, (red, green, blue)), WHITE, strict=True)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _response(part: float) -> float:
    return part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116


def _times(matrix: tuple[Triple, Triple, Triple], vector: Triple) -> Triple:
    first, second, third = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return first, second, third


def difference(one: Triple, other: Triple) -> float:
    """Return the CIEDE2000 difference; 1 can just be seen side by side."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    stretch = 1.5 - 0.5 * _saturation((hypot(a1, b1) + hypot(a2, b2)) / 2)
    c1, h1 = _polar(a1 * stretch, b1)
    c2, h2 = _polar(a2 * stretch, b2)
    grey = c1 * c2 == 0
    turn = 0.0 if grey else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if grey else h1 + turn / 2
    lightness, chroma = (l1 + l2) / 2 - 50, (c1 + c2) / 2
    weight = (
        1
        - 0.17 * _cos(hue - 30)
        + 0.24 * _cos(2 * hue)
        + 0.32 * _cos(3 * hue + 6)
        - 0.20 * _cos(4 * hue - 63)
    )
    dl = (l2 - l1) / (1 + 0.015 * lightness**2 / sqrt(20 + lightness**2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    tilt = 60 * exp(-((((hue % 360) - 275) / 25) ** 2))
    mixed = -2 * _saturation(chroma) * sin(radians(tilt))
    return sqrt(dl**2 + dc**2 + dh**2 + mixed * dc * dh)


def _saturation(chroma: float) -> float:
    return sqrt(chroma**7 / (chroma**7 + 25**7))


def _polar(a: float, b: float) -> tuple[float, float]:
    return hypot(a, b), degrees(atan2(b, a)) % 360


def _cos(angle: float) -> float:
    return cos(radians(angle))
