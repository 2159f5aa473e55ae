"""Measure fonts and write `src/purewire/svg/glyph_widths.py`: run it before a release, by hand.

Needs fonttools and the Debian packages fonts-dejavu-core, fonts-noto-color-emoji and
fonts-noto-core::

    python tools/measure_glyphs.py > src/purewire/svg/glyph_widths.py

Only advance widths are stored, no outline and no code of a font.
"""

import argparse
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, pairwise
from pathlib import Path
from statistics import fmean
from textwrap import fill
from typing import Final

from fontTools.ttLib import TTFont

FONTS: Final = Path("/usr/share/fonts/truetype")
LATIN: Final = FONTS / "dejavu" / "DejaVuSans.ttf"
EMOJI: Final = FONTS / "noto" / "NotoColorEmoji.ttf"
SCRIPTS: Final = FONTS / "noto"
SCRIPT: Final = "NotoSans*-Regular.ttf"

LIVING: Final = (  # scripts that DejaVu Sans lacks and titles have: measured letter by letter
    range(0x0900, 0x0E80),  # the Indic scripts and Thai
    range(0x0F00, 0x10A0),  # Tibetan, Myanmar
    range(0x1200, 0x1380),  # Ethiopic
    range(0x1780, 0x1800),  # Khmer
    range(0xFDF0, 0xFE00),  # Arabic words in one code point
)
RARE: Final = (  # what titles do not have: the average of neighbours is near enough
    range(0x1680, 0x1780),  # Ogham and runes
    range(0x1D00, 0x1DC0),  # phonetic letters
    range(0x4DC0, 0x4E00),  # hexagrams
    range(0xA640, 0xA6A0),  # Old Cyrillic
    range(0xA700, 0xA800),  # tone marks and letters of medieval Latin
    range(0xFB50, 0xFDF0),  # forms of Arabic letters, which text has as the letters themselves
    range(0xFE70, 0xFF00),
    range(0x10000, 0x110000),  # Old Italic, tetragrams, dominoes, cards; styled letters
)
FORMS: Final = {"<isolated>": 1, "<final>": 1, "<initial>": 3, "<medial>": 3}
"""Weights of the forms of a joining letter: those that fit running Arabic best."""

SLICE: Final = 128
"""Code points averaged together: Unicode lays scripts out in multiples of it."""
LEAST_STRETCH: Final = 3
"""Code points: leaving out fewer would cost as much, because the next one needs its number."""
FIRST_EMOJI: Final = 0xA9  # below it are the digits of keycaps
CJK_SYMBOLS: Final = range(0x3000, 0x3400)  # text, unless a selector asks for the emoji
NO_EMOJI_ALONE: Final = (
    range(0x200D, 0x200E),  # zero width joiner
    range(0x20E3, 0x20E4),  # enclosing keycap
    range(0xFE00, 0xFE10),  # selectors
    range(0x1F1E6, 0x1F200),  # regional indicators
    range(0x1F3FB, 0x1F400),  # skin tones
    range(0xE0000, 0x110000),  # tags, and glyphs for the font's own use
)
ZWJ: Final = 0x200D
LINE: Final = 98

HEAD: Final = '''\
"""Store advance widths of a Verdana-like font, and the code points that are emoji.

Measured by `tools/measure_glyphs.py` from DejaVu Sans, Noto Sans and Noto Color Emoji; never
edited by hand.  Widths are thousandths of the font size.  Only `purewire.svg.text` reads it.
"""

from typing import Final
'''


def main() -> None:
    """Write the module to the standard output."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--scripts", type=Path, default=SCRIPTS, help="folder of Noto Sans fonts")
    others = measured(options.parse_args().scripts)
    latin, colour = advances(TTFont(LATIN)), TTFont(EMOJI)
    living = {code: others[code] for code in others if is_in(LIVING, code)}
    named = {
        code: width
        for code, width in {**living, **latin, **joined(latin)}.items()
        if is_measured(code) and not is_in(RARE, code)
    }
    emoji = {code for code in colour.getBestCmap() if code >= FIRST_EMOJI}
    emoji = {code for code in emoji if not is_in(NO_EMOJI_ALONE, code)}
    constants = (
        (
            "ADVANCES",
            table(undivided(named)),
            "A code point, then advances from there on (`838*112`: many).",
        ),
        ("AVERAGES", averages(others, named), "128 code points from there: letters/marks."),
        ("EMOJI", ranges(emoji), "Emoji, at least when the selector U+FE0F follows."),
        ("PICTURES", ranges(pictures(emoji, named)), "Emoji that need no selector."),
        (
            "JOINABLE",
            ranges(joinable(colour)),
            "Code points that follow a zero width joiner in an emoji sequence.",
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


def averages(widths: Mapping[int, int], named: Iterable[int]) -> Iterator[str]:
    """Write `U+0900=599/329` for what the table does not name."""
    letters: defaultdict[int, list[int]] = defaultdict(list)
    marks: defaultdict[int, list[int]] = defaultdict(list)
    for code in sorted({*widths} - {*named}):
        if is_measured(code):
            found = marks if unicodedata.category(chr(code)) == "Mc" else letters
            found[code // SLICE].append(widths[code])
    for part in sorted({*letters, *marks}):
        yield f"U+{part * SLICE:04X}={round(mean(letters[part]))}/{round(mean(marks[part]))}"


def mean(widths: list[int]) -> float:
    """Return the mean, or 0 of nothing."""
    return fmean(widths) if widths else 0


def pictures(emoji: Iterable[int], named: Iterable[int]) -> set[int]:
    """Return the emoji that are pictures without a selector, by Unicode or for lack of a letter."""
    wide = {code for code in emoji if unicodedata.east_asian_width(chr(code)) == "W"}
    return (wide | ({*emoji} - {*named})) - {*CJK_SYMBOLS}


def joinable(font: TTFont) -> set[int]:
    """Return the code points that follow a ZWJ in some sequence of the font."""
    names = {name: code for code, name in font.getBestCmap().items()}
    lookups = font["GSUB"].table.LookupList.Lookup
    found = {
        after
        for lookup in lookups
        for part in lookup.SubTable
        for first, ligatures in getattr(part, "ligatures", {}).items()
        for ligature in ligatures
        for before, after in pairwise(names[name] for name in (first, *ligature.Component))
        if before == ZWJ
    }
    return {code for code in found if not is_in(NO_EMOJI_ALONE, code)}


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


def ranges(codes: Iterable[int]) -> Iterator[str]:
    """Write a set of code points as words: `2328`, `231A-231B`."""
    for run in runs(codes):
        yield f"{run[0]:04X}-{run[-1]:04X}" if len(run) > 1 else f"{run[0]:04X}"


def assignment(name: str, words: Iterable[str], meaning: str) -> str:
    """Write one constant of the module."""
    body = fill(" ".join(words), LINE, break_on_hyphens=False)
    return f'{name}: Final = """\\\n{body}\n"""\n"""{meaning}"""\n'


if __name__ == "__main__":
    main()
