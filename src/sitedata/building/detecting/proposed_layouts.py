r"""Layouts that a settings file may get: usual forms of paths that no built-in layout has.

This module is data.  A layout is proposed only if a file of the repository matches it, and each
keeps the rule of the built-in ones: a URL is given only where the path makes the problem certain.

Contract: SD-INIT-02, SD-INIT-03.
"""

from typing import Final

import attrs

from sitedata.building.detecting.platform_names import ADVENT, EXERCISM
from sitedata.building.platforms import Layout


@attrs.frozen
class Proposed:
    """A layout, its form such as `year/day/file`, and the platform that it identifies, if any."""

    identifies: str | None
    form: str
    layout: Layout


_USUAL_FILE: Final = "(?:main|solution|sol|solve|code|answer|program)[ ._-]?[0-9]*+"
_TITLE: Final = r"(?:[ ._-]++(?P<title>.++))?"
_NAMED: Final = "[ - {title:words}]"
_ANY: Final = ".++"
_SLUG: Final = "[a-z0-9]++(?:-[a-z0-9]++)*+"

# contests whose tasks are lettered and belong to no other contest
_ABC: Final = "(?:0(?:[23][0-9]|4[01])|1(?:1[2-9]|[2-9][0-9])|[2-9][0-9]{2})"
_ARC: Final = "(?:0(?:3[5-9]|4[0-9]|5[0-7])|1(?:0[4-9]|[1-9][0-9])|[2-9][0-9]{2})"
_AGC: Final = "[0-9]{3}"
_ATCODER: Final = "https://atcoder.jp/contests"
_CONTEST: Final = f"(?P<contest>abc{_ABC}|arc{_ARC}|agc{_AGC})"
_INDEX: Final = "(?P<index>[a-h])"
_LETTER: Final = "{index:lower}"
# contests whose eighth task is called Ex, and has the URL of `h`
_ABC_EXTRA: Final = "(?:23[3-9]|2[4-9][0-9]|30[0-9]|31[0-8])"
_EXTRA: Final = "(?P<index>ex)"
_TASKS: Final = (
    (_CONTEST, _INDEX, _LETTER),
    (f"(?P<contest>abc{_ABC_EXTRA})", _EXTRA, "h"),
)
_SERIES: Final = (
    ("abc", _ABC, _INDEX, _LETTER),
    ("abc", _ABC_EXTRA, _EXTRA, "h"),
    ("arc", _ARC, _INDEX, _LETTER),
    ("agc", _AGC, _INDEX, _LETTER),
)


def _atcoder_contests() -> tuple[Proposed, ...]:
    """Return the layouts of contests in folders such as `abc381`."""
    proposed = []
    for contest, index, letter in _TASKS:
        url = f"{_ATCODER}/{{contest:lower}}/tasks/{{contest:lower}}_{letter}"
        for form, path in (
            ("contest/task", f"{contest}/{index}"),
            ("contest_task", f"{contest}_{index}"),
            ("contest/task/file", f"{contest}/{index}/{_USUAL_FILE}"),
        ):
            layout = Layout(path, "{contest:upper} {index:upper}", url)
            proposed.append(Proposed("atcoder", form, layout))
    return tuple(proposed)


def _atcoder_series() -> tuple[Proposed, ...]:
    """Return the layouts of contests in folders such as `ABC/381`."""
    proposed = []
    for series, number, index, letter in _SERIES:
        contest = f"{series}/(?P<number>{number})"
        url = f"{_ATCODER}/{series}{{number}}/tasks/{series}{{number}}_{letter}"
        title = f"{series.upper()}{{number}} {{index:upper}}"
        for form, rest in (("task", ""), ("task/file", f"/{_USUAL_FILE}")):
            layout = Layout(f"{contest}/{index}{rest}", title, url)
            proposed.append(Proposed("atcoder", f"{series}/number/{form}", layout))
    return tuple(proposed)


_CODEFORCES_FILE: Final = Proposed(
    "codeforces",
    "contest/problem/file",
    Layout(
        "(?!20[0-4][0-9])(?P<contest>[1-9][0-9]{2,3}+)/(?P<index>[a-z][0-9]?)/" + _USUAL_FILE,
        "{contest}{index:upper}",
        "https://codeforces.com/contest/{contest}/problem/{index:upper}",
    ),
)
_CODEFORCES_LETTERS: Final = Proposed(
    "codeforces",
    "cf, contest and problem in the name",
    Layout(
        "(?:cf|codeforces)[ _-]*+(?P<contest>[1-9][0-9]{0,3}+)[ _-]?(?P<index>[a-z][0-9]?)"
        + _TITLE,
        "{contest}{index:upper}" + _NAMED,
        "https://codeforces.com/contest/{contest}/problem/{index:upper}",
    ),
)
_LEETHUB: Final = Proposed(
    "leetcode",
    "number-title/number-title, as LeetHub writes it",
    Layout(
        f"/(?P<number>[0-9]{{4}})-(?![0-9]{{2}}-[0-9]{{2}}(?![0-9]))(?P<title>{_SLUG})/"
        f"[0-9]{{4}}-{_SLUG}",
        "{number:number}. {title:words}",
        "https://leetcode.com/problems/{title:slug}/",
    ),
)
_LEETHUB_UNPADDED: Final = Proposed(
    "leetcode",
    "number-title/number-title without zeros, as LeetHub wrote it",
    Layout(
        "/(?!01-matrix|1-bit-and|132-pattern|2-keys|24-game|4-keys)"
        f"(?P<number>[1-9][0-9]{{0,3}}+)-(?P<title>{_SLUG})/[1-9][0-9]{{0,3}}+-{_SLUG}",
        "{number}. {title:words}",
        "https://leetcode.com/problems/{title:slug}/",
    ),
)
_TITLE_ONLY: Final = Proposed(
    None, "any file, titled by its name", Layout("(?P<title>.++)", "{title:words}", None)
)

_YEAR_NUMBER: Final = "(?P<year>20(?:1[5-9]|[2-4][0-9]))"
_YEAR: Final = f"(?:aoc|advent[ _-]?of[ _-]?code|year|y)?[ _-]*+{_YEAR_NUMBER}"
_DAY_NUMBER: Final = "0?(?P<day>2[0-5]|1[0-9]|[1-9])"
_DAY: Final = f"(?:day|d|december|dec)?[ _-]*+{_DAY_NUMBER}"
_PART: Final = "(?:part|p|puzzle|star|task)?[ _-]*+(?P<part>[12])"
_LETTERED: Final = "(?:[ _-]?(?P<letter>[ab]))?"
_DAY_TITLE: Final = r"(?:[ ._-]++(?P<title>[^0-9].*+))?"
_ADVENT_FILES: Final = (
    # form, below the year; the more exact ones first
    ("day/part", f"{_DAY}{_DAY_TITLE}/{_PART}"),
    ("day-part", f"{_DAY}[ ._-]++{_PART}"),
    ("day", f"{_DAY}{_LETTERED}{_DAY_TITLE}"),
    ("day/file", f"{_DAY}{_DAY_TITLE}/{_ANY}"),
    ("folder/day/part", f"{_ANY}/{_DAY}{_DAY_TITLE}/{_PART}"),
    ("folder/day-part", f"{_ANY}/{_DAY}[ ._-]++{_PART}"),
    ("folder/day", f"{_ANY}/{_DAY}{_LETTERED}{_DAY_TITLE}"),
    ("folder/day/file", f"{_ANY}/{_DAY}{_DAY_TITLE}/{_ANY}"),
    ("folder/folder/day", f"{_ANY}/{_ANY}/{_DAY}{_LETTERED}{_DAY_TITLE}"),
    ("day/folder/part", f"{_DAY}{_DAY_TITLE}/{_ANY}/{_PART}"),
    ("day/folder/file", f"{_DAY}{_DAY_TITLE}/{_ANY}/{_ANY}"),
    ("day/folder/folder/file", f"{_DAY}{_DAY_TITLE}/{_ANY}/{_ANY}/{_ANY}"),
)


def advent_layouts(year: str | None) -> tuple[Proposed, ...]:
    """Return the layouts of the Advent of Code; without a year, the year is in the paths."""
    shown, start, form = ("{year}", f"{_YEAR}/", "year/") if year is None else (year, "/", "")
    url = f"https://adventofcode.com/{shown}/day/{{day}}"

    def layout(path: str) -> Layout:
        title = f"{shown} Day {{day}}"
        if "?P<letter>" in path:
            title += "[{letter:lower}]"
        if "?P<part>" in path:
            title += ", part {part}"
        if "?P<title>" in path:
            title += _NAMED
        return Layout(start + path, title, url)

    return tuple(Proposed(ADVENT, form + name, layout(path)) for name, path in _ADVENT_FILES)


_ADVENT_CERTAIN: Final = Proposed(
    ADVENT,
    "year/day/part",
    Layout(
        f"{_YEAR_NUMBER}/day[ _-]?{_DAY_NUMBER}/(?:part|p)[ _-]?(?P<part>[12])",
        "{year} Day {day}, part {part}",
        "https://adventofcode.com/{year}/day/{day}",
    ),
)
_NO_EXERCISE: Final = "(?:bin|docs?|helpers?|libs?|scripts?|shared|src|tests?|tools?|utils?)"
_FOLDERS_OF_EXERCISES: Final = 5
"""Folders between an exercise and its file: a Java package has four."""


def exercism_layouts(tracks: frozenset[str] | str) -> tuple[Proposed, ...]:
    """Return the layouts of Exercism: of one track, or of the tracks that are folders."""
    if not tracks:
        return ()
    if isinstance(tracks, str):
        start, track, form = "/", tracks, "exercise/"
    else:
        names = "|".join(sorted(tracks))
        start, track, form = f"/(?P<track>{names})/", "{track:lower}", "track/exercise/"
    exercise = f"(?!{_NO_EXERCISE}$)(?P<id>{_SLUG})"
    url = f"https://exercism.org/tracks/{track}/exercises/{{id:lower}}"
    return tuple(
        Proposed(
            EXERCISM,
            form + "folder/" * count + "file",
            Layout(f"{start}{exercise}{f'/{_ANY}' * count}/{_ANY}", "{id:words}", url),
        )
        for count in range(_FOLDERS_OF_EXERCISES + 1)
    )


def more_layouts(platform: str) -> tuple[Proposed, ...]:
    """Return the layouts for the folder of a built-in platform, beside its own."""
    if platform == "atcoder":  # files that are tasks themselves have built-in layouts
        proposed = (*_atcoder_contests(), *_atcoder_series())
        return tuple(each for each in proposed if each.form.endswith("/file"))
    return (_CODEFORCES_FILE,) if platform == "codeforces" else ()


def layouts_anywhere(tracks: frozenset[str], *, has_leetcode: bool) -> tuple[Proposed, ...]:
    """Return the layouts for folders that name no platform: certain forms, then the title alone."""
    certain = (
        *_atcoder_contests(),
        *_atcoder_series(),
        _CODEFORCES_LETTERS,
        _LEETHUB,
        *((_LEETHUB_UNPADDED,) if has_leetcode else ()),
        _ADVENT_CERTAIN,
    )
    return (*exercism_layouts(tracks), *certain, _TITLE_ONLY)
