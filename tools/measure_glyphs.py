"""Measure fonts and write `src/purewire/svg/glyph_widths.py`: run it before a release, by hand.

Needs fonttools and the Debian packages fonts-dejavu-core and fonts-noto-core::

    python tools/measure_glyphs.py > src/purewire/svg/glyph_widths.py

Only advance widths are stored, no outline and no code of a font.
"""

import argparse
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from statistics import fmean
from textwrap import fill
from typing import Final

from fontTools.ttLib import TTFont

FONTS: Final = Path("/usr/share/fonts/truetype")
LATIN: Final = FONTS / "dejavu" / "DejaVuSans.ttf"
SCRIPTS: Final = FONTS / "noto"
SCRIPT: Final = "NotoSans*-Regular.ttf"

EXACT: Final = (  # what most titles have, as DejaVu Sans has it
    range(0x0020, 0x0250),  # Latin
    range(0x0370, 0x0700),  # Greek, Cyrillic, Armenian, Hebrew, Arabic
    range(0x10A0, 0x1100),  # Georgian
    range(0x1E00, 0x2070),  # letters with marks, punctuation
    range(0x20A0, 0x2200),  # currencies, letters as signs, arrows
    range(0x2600, 0x27C0),  # signs and pictures
    range(0xFFFD, 0xFFFE),  # what stands for code points that XML cannot hold
)
COARSE: Final = (  # scripts and signs that some titles have, to a twentieth of the font size
    range(0x0250, 0x0370),  # phonetic letters
    range(0x0900, 0x10A0),  # the scripts of South and South East Asia
    range(0x1200, 0x1380),  # Ethiopic
    range(0x1780, 0x1800),  # Khmer
    range(0x2200, 0x2600),  # mathematics, lines and blocks
)
FORMS: Final = {"<isolated>": 1, "<final>": 1, "<initial>": 3, "<medial>": 3}
"""Weights of the forms of a joining letter: those that fit running Arabic best."""

STEP: Final = 50
"""Thousandths of the font size that a coarse width is a multiple of."""
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
LEAST_GAP: Final = 8
"""Code points without a width that separate two runs of coarse widths."""
LEAST_STRETCH: Final = 3
"""Code points: leaving out fewer would cost as much, because the next one needs its number."""
LINE: Final = 98

HEAD: Final = '''\
"""Store advance widths of a Verdana-like font.

Measured by `tools/measure_glyphs.py` from DejaVu Sans and Noto Sans; never edited by hand.  Only
`purewire.svg.text` reads it.
"""

from typing import Final
'''


def main() -> None:
    """Write the module to the standard output."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--scripts", type=Path, default=SCRIPTS, help="folder of Noto Sans fonts")
    latin = advances(TTFont(LATIN))
    widths = {**measured(options.parse_args().scripts), **latin, **joined(latin)}
    widths = {code: width for code, width in widths.items() if is_measured(code)}
    exact = {code: width for code, width in widths.items() if is_in(EXACT, code) and code in latin}
    rest = {code: width for code, width in widths.items() if is_in(COARSE, code)}
    constants = (
        (
            "ADVANCES",
            table(undivided(exact)),
            "A code point, then advances from there on in thousandths (`838*112`: many).",
        ),
        (
            "COARSE",
            coarse(rest),
            "A code point, then a digit of base 36 for each from there on, in twentieths.",
        ),
    )
    print("\n".join((HEAD, *(assignment(*constant) for constant in constants))), end="")


def is_in(blocks: Iterable[range], code: int) -> bool:
    """Check whether one of the blocks contains the code point."""
    return any(code in block for block in blocks)


def is_measured(code: int) -> bool:
    """Check whether the width of a code point depends on the font: not zero, not one em."""
    character = chr(code)
    return (
        unicodedata.category(character) not in {"Mn", "Me", "Cc", "Cf", "Co", "Cn"}
        and unicodedata.east_asian_width(character) not in "WF"
    )


def advances(font: TTFont) -> dict[int, int]:
    """Return code point to advance, in thousandths of the font size."""
    metrics, scale = font["hmtx"], 1000 / font["head"].unitsPerEm
    return {code: round(metrics[name][0] * scale) for code, name in font.getBestCmap().items()}


def measured(folder: Path) -> dict[int, int]:
    """Return code point to advance of every Noto Sans, from the first font that has it."""
    found: dict[int, int] = {}
    for path in sorted(folder.glob(SCRIPT)):
        for code, width in advances(TTFont(path)).items():
            found.setdefault(code, width)
    return found


def joined(widths: Mapping[int, int]) -> dict[int, int]:
    """Return joining letters the mean of their contextual forms, as running text has them."""
    forms: defaultdict[int, list[int]] = defaultdict(list)
    for code, width in widths.items():
        kind, *letters = unicodedata.decomposition(chr(code)).split() or [""]
        if len(letters) == 1:
            forms[int(letters[0], 16)] += [width] * FORMS.get(kind, 0)
    return {code: round(fmean(found)) for code, found in forms.items() if found}


def runs(codes: Iterable[int]) -> Iterator[range]:
    """Cut code points into runs of neighbours."""
    for _, group in groupby(enumerate(sorted(codes)), key=lambda pair: pair[1] - pair[0]):
        run = [code for _, code in group]
        yield range(run[0], run[-1] + 1)


def undivided(widths: Mapping[int, int]) -> dict[int, int]:
    """Leave out stretches of letters with marks that are as wide as their letters alone."""
    kept = dict(widths)
    for run in runs(code for code in widths if is_as_wide_as_its_letter(code, widths)):
        if len(run) >= LEAST_STRETCH:
            for code in run:
                del kept[code]
    return kept


def is_as_wide_as_its_letter(code: int, widths: Mapping[int, int]) -> bool:
    """Check whether a code point is a letter of the same width with marks."""
    kind, *_ = unicodedata.decomposition(chr(code)).split() or ["<"]
    return kind[0] != "<" and widths.get(int(kind, 16)) == widths[code]


def table(widths: Mapping[int, int]) -> Iterator[str]:
    """Write the words of the table of advances."""
    for run in runs(widths):
        yield f"U+{run[0]:04X}"
        for width, group in groupby(widths[code] for code in run):
            count = len(list(group))
            yield f"{width}*{count}" if count > 1 else str(width)


def coarse(widths: Mapping[int, int]) -> Iterator[str]:
    """Write the words of the table of coarse advances; zero stands for an unknown one."""
    codes = sorted(widths)
    first = 0
    for place, (code, after) in enumerate(zip(codes, [*codes[1:], sys.maxsize], strict=True), 1):
        if after - code > LEAST_GAP:
            run = range(codes[first], code + 1)
            digits = (round(widths.get(each, 0) / STEP) for each in run)
            yield f"U+{run[0]:04X}"
            yield "".join(DIGITS[min(digit, len(DIGITS) - 1)] for digit in digits)
            first = place


def assignment(name: str, words: Iterable[str], meaning: str) -> str:
    """Write one constant of the module."""
    body = fill(" ".join(words), LINE)
    return f'{name}: Final = """\\\n{body}\n"""\n"""{meaning}"""\n'


if __name__ == "__main__":
    main()
