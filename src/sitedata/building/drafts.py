r"""Draft the platforms of a settings file: their folders, and layouts that may match.

The layouts are usual forms of paths that no built-in layout has.  One is proposed only if a file of
the repository matches it, and each keeps the rule of the built-in ones: a URL is given only where
the path makes the problem certain.
"""

from collections.abc import Container, Iterable, Mapping
from typing import Final

import attrs

from sitedata.building.known_platforms import EXTRA_TASK_CONTESTS
from sitedata.building.platforms import ROOT, Layout, folder_key
from sitedata.building.survey import ADVENT, EXERCISM, NamedPlatform, Survey

Tables = Mapping[str, Mapping[str, str | list[str]]]
"""Name of a table of the settings to its values."""

OTHER: Final = "other"
"""Name of the platform in the settings that has all folders that no platform is known for."""
_MAX_FOLDERS: Final = 300
"""Folders of a proposal, those with the most files; so the file stays below its size limit."""
_MAX_LENGTH: Final = 200  # characters of a folder in the settings


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
_INDEX: Final = "(?P<index>[a-h])"
_EXTRA: Final = "(?P<index>ex)"  # the eighth task of some contests, which has the URL of `h`


def _atcoder() -> tuple[Proposed, ...]:
    """Return the layouts of contests in folders such as `abc381`, and such as `ABC/381`."""
    lower, upper = "{contest:lower}", "{contest:upper}"
    rows = [
        ("contest", f"(?P<contest>abc{_ABC}|arc{_ARC}|agc{_AGC})", _INDEX, lower, upper),
        ("contest", f"(?P<contest>abc{EXTRA_TASK_CONTESTS})", _EXTRA, lower, upper),
    ]
    for series, number, index in (
        ("abc", _ABC, _INDEX),
        ("abc", EXTRA_TASK_CONTESTS, _EXTRA),
        ("arc", _ARC, _INDEX),
        ("agc", _AGC, _INDEX),
    ):
        path, name = f"{series}/(?P<number>{number})", f"{series}{{number}}"
        rows.append((f"{series}/number", path, index, name, f"{series.upper()}{{number}}"))
    proposed = []
    for form, path, index, name, title in rows:
        letter = "h" if index == _EXTRA else "{index:lower}"
        url = f"https://atcoder.jp/contests/{name}/tasks/{name}_{letter}"
        tasks = {f"{form}/task": f"{path}/{index}"}
        if form == "contest":
            tasks["contest_task"] = f"{path}_{index}"
        tasks[f"{form}/task/file"] = f"{path}/{index}/{_USUAL_FILE}"
        for task, pattern in tasks.items():
            layout = Layout(pattern, f"{title} {{index:upper}}", url)
            proposed.append(Proposed("atcoder", task, layout))
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


def layouts_anywhere(tracks: frozenset[str], *, has_leetcode: bool) -> tuple[Proposed, ...]:
    """Return the layouts for folders that name no platform: certain forms, then the title alone."""
    certain = (
        *_atcoder(),
        _CODEFORCES_LETTERS,
        _LEETHUB,
        *((_LEETHUB_UNPADDED,) if has_leetcode else ()),
        _ADVENT_CERTAIN,
    )
    return (*exercism_layouts(tracks), *certain, _TITLE_ONLY)


@attrs.frozen
class Draft:
    """A platform of the settings: its own folders, and layouts that are tried first."""

    name: str
    folders: tuple[str, ...]
    proposed: tuple[Proposed, ...]
    is_built_in: bool = attrs.field(default=False, kw_only=True)

    def with_used(self, used: Container[tuple[str, Proposed | None]]) -> "Draft":
        """Return the draft with only those layouts that are in `used` with its name."""
        kept = (draft for draft in self.proposed if (self.name, draft) in used)
        return attrs.evolve(self, proposed=tuple(kept))

    @property
    def is_useful(self) -> bool:
        """Check whether the settings may hold it: others than built-in platforms need layouts."""
        return self.is_built_in or bool(self.proposed)

    def table(self) -> dict[str, object]:
        """Return its table in the settings; empty if there is nothing to say."""
        members: dict[str, object] = {}
        if self.folders:
            members["folders"] = list(self.folders)
        if self.proposed:
            members["layouts"] = [
                {"path": layout.path, "title": layout.title, "url": layout.url or ""}
                for layout in (draft.layout for draft in self.proposed)
            ]
        return members


def drafts_of(survey: Survey, repository: NamedPlatform | None) -> tuple[Draft, ...]:
    """Return the drafts for what was found; `repository` is what its name says."""
    folders: dict[NamedPlatform, list[str]] = {
        NamedPlatform(name): [] for name in sorted(survey.known)
    }
    if repository is not None:
        folders.setdefault(repository, []).append(ROOT)
    keys: set[str] = set()
    ranked = sorted(survey.sites.items(), key=lambda site: (-site[1][1], site[0]))
    for folder, (platform, _) in ranked:
        key = folder_key(folder)
        is_writable = len(folder) <= _MAX_LENGTH and folder.isprintable()
        if is_writable and key not in keys and len(keys) < _MAX_FOLDERS:
            keys.add(key)
            folders.setdefault(platform, []).append(folder)
    drafts = (
        _draft(platform, sorted(paths), survey.exercised) for platform, paths in folders.items()
    )
    return useful_drafts(sorted(drafts, key=lambda draft: draft.name), survey)


def useful_drafts(drafts: Iterable[Draft], survey: Survey) -> tuple[Draft, ...]:
    """Return the drafts that the settings may hold; `OTHER` has the root if none of them has it."""
    kept = tuple(draft for draft in drafts if draft.is_useful and draft.name != OTHER)
    if any(ROOT in draft.folders for draft in kept):
        return kept
    layouts = layouts_anywhere(survey.tracks, has_leetcode=survey.has_leetcode)
    return (*kept, Draft(OTHER, (ROOT,), layouts))


def _draft(platform: NamedPlatform, folders: Iterable[str], tracks: frozenset[str]) -> Draft:
    name = "-".join(filter(None, (platform.name, platform.year, platform.track)))
    if platform.name == ADVENT:
        return Draft(name, tuple(folders), advent_layouts(platform.year))
    if platform.name == EXERCISM:
        return Draft(name, tuple(folders), exercism_layouts(platform.track or tracks))
    beside: tuple[Proposed, ...] = ()  # layouts that the built-in ones lack
    if platform.name == "atcoder":
        beside = tuple(proposed for proposed in _atcoder() if proposed.form.endswith("/file"))
    elif platform.name == "codeforces":
        beside = (_CODEFORCES_FILE,)
    return Draft(name, tuple(folders), beside, is_built_in=True)


def tables_of(
    base: Tables, drafts: Iterable[Draft], ratings: Iterable[str] | None = None
) -> dict[str, object]:
    """Return the plain tables of a settings file; without `ratings` those of built-in platforms."""
    tables: dict[str, object] = {} if ratings is None else {"ratings": list(ratings)}
    tables |= {name: dict(table) for name, table in base.items()}
    named = ((draft.name, draft.table()) for draft in drafts)
    platforms = {name: table for name, table in named if table}
    return tables | ({"platforms": platforms} if platforms else {})
