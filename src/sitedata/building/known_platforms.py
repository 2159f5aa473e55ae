"""The built-in platforms: their folders, layouts and URLs.

This module is data: `sitedata.building.platforms` has the rules of matching,
`sitedata.building.templates` those of patterns.  Structural folders, buckets and generic names are
gone where a layout is matched, so a problem has one form, and a task of a contest two: contest and
task in one name, or in two.

A bare number may count anything: weeks, years, attempts, contests.  It names a problem only
directly in the platform's folder or in one of the platform's sections; elsewhere it needs a prefix
of the platform.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Final

from sitedata.building.names import GENERIC
from sitedata.building.platforms import Layout, Platform, Requirement

_TITLE: Final = r"(?:[ ._-]++(?P<title>.++))?"
"""The rest of a name after an id."""
_MORE: Final = r"(?:[ ._(-].*+)?"
"""After a contest id that is unambiguous, in the name of a folder: any text."""
_ROUND: Final = r"(?:(?: ++[-(:]|[.:] ).++)?"
"""After a bare number: a separated round name; not `4 weeks`, not `2024-01-05`."""
_YEAR: Final = "20[0-4][0-9]"
_COUNTED: Final = "chapter|day|demo|ex|example|exercise|hw|lab|lesson|part|problem|sample|task|week"
_NO_ID: Final = rf"(?!(?:{GENERIC}|[a-z]|[pq]?[0-9]++|(?:{_COUNTED})[ _-]?[0-9]*+)(?:[ .-]|$))"
"""Before an id that is a word: excludes generic names, letters, numbers and what they count."""
_INDEX: Final = r"(?P<index>[a-z][0-9]?)"
_NAMED: Final = "[ - {title:words}]"
_LETTERED: Final = "{contest}{index:upper}" + _NAMED


def _layouts(
    title: str, url: str | None, *paths: str, requires: Requirement | None = None
) -> list[Layout]:
    return [Layout(path, title, url, requires) for path in paths]


def _contests(  # noqa: PLR0913 - the columns of the table, by name
    title: str,
    url: str | None,
    contests: Iterable[str],
    *,
    index: str = _INDEX,
    joint: str | None = "[ ._-]?",
    rest: str = _MORE,
    requires: Requirement | None = None,
) -> list[Layout]:
    """Return the layouts of a kind of contests, given by the patterns of their folders.

    A task has its contest before it, in its own name or as a folder; joint None: as a folder only.
    """
    paths = [f"{contest}{rest}/{index}{_TITLE}" for contest in contests]
    joined = [f"{contest}{joint}{index}{_TITLE}" for contest in contests if joint is not None]
    return _layouts(title, url, *joined, *paths, requires=requires)


def _named(title: str, url: str, number: str, *, lettered: bool = False) -> list[Layout]:
    """Return the layouts of an id that is unambiguous anywhere, `lettered`: as a folder too."""
    layouts = _layouts(title + _NAMED, url, number + _TITLE)
    if lettered:
        path = f"{number}{_TITLE}/[a-z]"
        layouts += _layouts(title + _NAMED, url, path, requires="no contest")
    return layouts


def _numbered(
    title: str, url: str, number: str, *, prefix: str | None = None, section: str | None = None
) -> list[Layout]:
    """Return the layouts of a platform whose problems have one number, also in brackets."""
    places = ["/"] if section is None else ["/", f"/{section}/"]
    # a year in brackets may be that of a contest, one or two digits may count attempts
    no_year = r"(?=[0-9]{3,6}+\))(?!(?:19[7-9]|20[0-4])[0-9]\))"
    bracketed = rf"(?P<title>[^() ]++(?: ++[^() ]++)*+) ?\({no_year}{number}\)"
    layouts = [] if prefix is None else _named(title, url, prefix + number)
    for place in places:
        layouts += _named(title, url, place + number)
        paths = f"{place}{bracketed}", f"{place}{bracketed}/.++"
        layouts += _layouts(title + _NAMED, url, *paths, requires="no contest")
    return layouts


def _codeforces() -> list[Layout]:
    contest, gym = r"(?P<contest>[1-9][0-9]{0,3}+)", r"(?P<contest>10[0-9]{4})"
    group, grouped = r"group/(?P<group>[a-z0-9]++)", r"(?P<contest>[1-9][0-9]{5})"
    index = f"(?:problem)?[ _-]*+{_INDEX}"
    site, problem = "https://codeforces.com", "{contest}/problem/{index:upper}"
    url = f"{site}/contest/{problem}"
    known = (
        f"(?:cf|contest)[ _-]*+{contest}",
        f"contests?/{contest}",
        f"(?!{_YEAR})(?=[0-9]{{3}}){contest}",
    )
    return [
        *_contests(
            _LETTERED,
            f"{site}/group/{{group}}/contest/{problem}",
            (f"{group}/{grouped}", f"{group}/contest/{grouped}"),
        ),
        *_contests(f"Gym {_LETTERED}", f"{site}/gym/{problem}", [f"(?:gym|cf)?[ _-]*+{gym}"]),
        *_named(
            "SGU {number}",
            f"{site}/problemsets/acmsguru/problem/99999/{{number}}",
            r"(?:acm)?sgu(?:ru)?/(?:sgu)?[ _-]*+(?P<number>[1-9][0-9]{2})",
        ),
        *_contests(
            _LETTERED,
            f"{site}/problemset/problem/{{contest}}/{{index:upper}}",
            (f"problemset/{contest}", f"problemset/problem/{contest}"),
            rest="",
        ),
        *_layouts(
            _LETTERED, url, f"(?:cf|codeforces|problem)?[ _-]*+{contest}[ ._-]?{_INDEX}{_TITLE}"
        ),
        *_contests(_LETTERED, url, known, index=index, joint=None, rest=_ROUND),
        *_contests(
            _LETTERED,
            url,
            (f"(?=[0-9]{{3}}){contest}", f"/{contest}"),
            joint=None,
            rest=_ROUND,
            requires="contest",
        ),
    ]


_ATCODER_SERIES: Final = (
    # series, numbers, indices, index in the URL; the first match counts
    # the tasks of the first contests were numbered
    ("abc", "0(?:0[1-9]|1[0-9])", "[a-d1-4]", "{index:ordinal}"),
    ("arc", "0(?:0[1-9]|[12][0-9]|3[0-4])", "[a-d1-4]", "{index:ordinal}"),
    # the last two tasks of these may belong to another contest and have only its name
    ("abc", "(?:0(?:4[2-9]|[5-9][0-9])|1(?:0[0-9]|1[01]))", "[cd]", None),
    # tasks C to F of these have the URLs of `a` to `d`
    ("arc", "(?:0(?:5[89]|[6-9][0-9])|10[0-3])", "[c-f]", None),
    # the eighth task of these is called Ex
    ("abc", "(?:23[3-9]|2[4-9][0-9]|30[0-9]|31[0-8])", "ex", "h"),
    ("abc", "(?!00|01)[0-9]{3}", "[a-h]", "{index:lower}"),
    ("arc", "(?!0[0-2]|03[0-4])[0-9]{3}", "[a-h]", "{index:lower}"),
    ("(?:agc|ahc)", "[0-9]{3}", "[a-h]", "{index:lower}"),
)


def _atcoder() -> list[Layout]:
    site, layouts = "https://atcoder.jp/contests", list[Layout]()
    contest = "{series:lower}{number}"
    for series, number, index, letter in _ATCODER_SERIES:
        layouts += _contests(
            "{series:upper}{number} {index:upper}" + _NAMED,
            letter and f"{site}/{contest}/tasks/{contest}_{letter}",
            (
                f"(?P<series>{series})[ _-]?(?P<number>{number})",
                f"(?P<series>{series})/(?P<number>{number})",
            ),
            index=f"(?P<index>{index})",
            joint="[ _-]?",
        )
    # contests of companies and others have a year
    other = rf"(?P<contest>[a-z](?:[a-z-](?!{_YEAR}))*+[a-z-]?{_YEAR}(?:[a-z-][a-z0-9-]*+)?)"
    companies = (
        "(?:aising|caddi|diverta|exawizards|hitachi|joi|jsc|keyence|m-solutions|nikkei|nomura"
        f"|panasonic|sumitrust|tokiomarine){_YEAR}(?:-?[a-z]++[0-9]*+)?"
    )
    past = rf"past{_YEAR}(?:0[1-9]|1[0-2])"
    title, task = "{contest:slug} {index:upper}", "tasks/{contest:snake}_{index:lower}"
    url = f"{site}/{{contest:slug}}/{task}"
    titles = "typical90|tessoku[_-]book|math[_-]and[_-]algorithm|practice2|acl1|abl|dp"
    rows = (
        (f"{site}/{{contest:lower}}-open/{task}", f"(?P<contest>{past})(?:-open)?", "[a-o]"),
        (url, f"(?P<contest>{titles})", "[a-z]{1,2}+"),
        (url, f"(?P<contest>{companies})", "[a-z]"),
    )
    for link, pattern, index in rows:
        layouts += _contests(
            title + _NAMED, link, [pattern], index=f"(?P<index>{index})", joint="_", rest=""
        )
    task_of_contest = "(?P<slug>past[0-9]{1,6}+-open)/(?P<task>past[0-9]{1,6}+_[a-o])"
    return [
        *_layouts("{task:lower}", f"{site}/{{slug:lower}}/tasks/{{task:lower}}", task_of_contest),
        *layouts,
        *_layouts(title + _NAMED, url, f"{other}_(?P<index>[a-z0-9]){_TITLE}"),
    ]


def _luogu() -> list[Layout]:
    number, site = r"[1-9][0-9]{0,5}+", "https://www.luogu.com.cn/problem"
    problem = rf"(?P<id>[PBTU]{number}|CF{number}[a-z][0-9]?|SP{number}|UVA{number})"
    atcoder = r"AT_(?P<id>[a-z0-9]++(?:_[a-z0-9]++)*+)"
    return [
        *_named("{id:upper}", f"{site}/{{id:upper}}", problem, lettered=True),
        *_named("AT_{id:lower}", f"{site}/AT_{{id:lower}}", atcoder, lettered=True),
    ]


def _nowcoder() -> list[Layout]:
    contest, number = r"(?P<contest>[1-9][0-9]{2,5}+)", r"(?P<id>[1-9][0-9]{3,6}+)"
    site = "https://ac.nowcoder.com/acm"
    title, url = "NC{id}", f"{site}/problem/{{id}}"
    task = f"{site}/contest/{{contest}}/{{index:upper}}"
    known = f"contest[ _-]*+{contest}", f"contests?/{contest}"
    return [
        *_named(title, url, rf"NC[ _-]*+{number}", lettered=True),
        *_layouts(_LETTERED, task, f"(?:contest[ _-]*+)?{contest}[ ._-]?{_INDEX}{_TITLE}"),
        *_contests(_LETTERED, task, known, joint=None, rest=_ROUND),
        *_contests(_LETTERED, task, [contest], joint=None, rest=_ROUND, requires="contest"),
    ]


def _vjudge() -> list[Layout]:
    judge = (
        r"(?P<judge>aizu|atcoder|codechef|codeforces|csg|e-olymp|fzu|gym|hdu|hysbz|kattis|libreoj"
        r"|lightoj|nbut|openj_bailian|poj|qoj|sgu|spoj|timus|toph|ural|uva|uvalive|zoj)"
    )
    contest = r"(?P<contest>[1-9][0-9]{3,6}+)"
    title, url = "{contest} {index:upper}" + _NAMED, "https://vjudge.net/contest/{contest}"
    task = f"{url}#problem/{{index:upper}}"
    known = (f"contest[ _-]*+{contest}", f"contests?/{contest}", f"(?!{_YEAR}(?![0-9])){contest}")
    return [
        *_layouts(
            "{judge} {id}" + _NAMED,
            "https://vjudge.net/problem/{judge}-{id}",
            rf"{judge}[ _-](?P<id>[a-z0-9]++(?:_[a-z0-9]{{1,2}}+)*+)(?:[ .-]++(?P<title>.++))?",
        ),
        *_contests(title, task, known, joint=None, rest=_ROUND),
        *_contests(title, task, [contest], joint=None, rest="", requires="contest"),
    ]


def _qoj() -> list[Layout]:
    number, contest = r"(?P<id>[1-9][0-9]{0,4}+)", r"(?P<contest>[1-9][0-9]{0,4}+)"
    known = f"contest[ _-]?{contest}", f"contests?/{contest}"
    url = "https://qoj.ac/contest/{contest}/problem/{id}"
    return [
        *_contests("{id}" + _NAMED, url, known, index=f"(?:qoj)?[ _#-]*+{number}", joint=None),
        *_contests(_LETTERED, None, known, joint=None),
        *_contests(_LETTERED, None, [contest], joint=None, rest=_ROUND, requires="contest"),
    ]


_LEETCODE_SHORT: Final = (
    "(?:01-matrix|1-bit-and-2-bit-characters|132-pattern|2-keys-keyboard|24-game|4-keys-keyboard"
    "|3sum|4sum|candy|combinations|heaters|ipo|minesweeper|permutations|sqrtx|subsets|triangle)"
)
"""Ids that a number begins, or that are one word; elsewhere such a name may mean anything."""
_TOPICS: Final = (
    "(?:binary search|binary|segment) trees?|bit manipulation|(?:breadth|depth) first search"
    "|dynamic programming|hash (?:map|set|table)s?|linked lists?|monotonic (?:queue|stack)"
    "|prefix sums?|priority queues?|sliding window|topological sort|two pointers?|union find"
)
"""Topics of the site, which are no problems."""


def _leetcode() -> list[Layout]:
    # a title does not begin with four digits or two zeros; dates, and the numbers of chapters as
    # in 01.01, are excluded; names such as TwoSum do not say where words end
    chapter, joined = (
        r"(?![0-9]{1,2}+\.[0-9]++[ ._-])",
        r"(?!(?-i:[A-Z]*+[a-z]++[A-Z][A-Za-z0-9]*+)$)",
    )
    topic = f"(?!(?:{_TOPICS.replace(' ', '[ _-]')})$)"
    title = rf"(?![0-9]++\.){joined}{topic}(?P<title>.++)"
    padded = r"(?P<number>[0-9]{4}|00[0-9])[ _-]++(?![0-9]{2}[ ._-][0-9]{2}(?![0-9]))"
    dotted = r"(?P<number>[0-9]{1,4}+)\.[ _-]*+"
    numbered = [
        f"(?:(?:lc|leetcode|problem)[ _-]*+)?{chapter}{number}{title}"
        for number in (padded, dotted)
    ]
    # LeetHub names the folder and the file alike
    numbers = rf"(?!{_LEETCODE_SHORT}$)(?P<number>[1-9][0-9]{{0,3}}+)"
    hub = f"{numbers}-(?P<title>[a-z0-9]++(?:-[a-z0-9]++)*+)"
    counted = rf"(?!{_LEETCODE_SHORT}$)[0-9]{{1,4}}+[ _-]++{title}"
    # A word and a number, such as `day-01`, is no id; neither is one of leetcode.cn, as `LCP-01`.
    no_id = f"(?:(?:lc[prs]?|lcof|lcci|leetcode|q|{_COUNTED})-?)?[0-9]++-|[a-z]++-[0-9]++$"
    slug = f"(?!{no_id}){topic}(?P<title>[a-z0-9]++(?:-[a-z0-9]++)++)"
    url = "https://leetcode.com/problems/{title:slug}/"
    return [
        *_layouts("{number:number}. {title:words}", url, *numbered),
        *_layouts("{title:words}", url, f"(?P<title>{_LEETCODE_SHORT})", requires="slugs"),
        *_layouts("{number}. {title:words}", url, hub, requires="same name"),
        *_layouts("{title:words}", url, counted, requires="numbered"),
        *_layouts("{title:words}", url, slug),
    ]


_VOLUME: Final = r"vol(?:ume)?[ ._-]*+(?:[0-9]++|[clxvi]++)(?:[ _-]*+\([0-9 -]++\))?"
_CSES_SECTION: Final = (
    r"(?:[0-9]{1,2}+[ ._-]++)?(?:(?:introductory|dynamic|graph|tree|string|additional|advanced"
    r"|construction|counting|interactive|sorting|range|geometry|mathematics|bitwise|sliding)"
    r"(?:[ _-].*+|(?:problems|programming|algorithms|queries|techniques))?)"
)


def _hub(title: str, url: str, number: str) -> list[Layout]:
    """Return the layouts of BaekjoonHub: any file in a folder of number, dot, space, title."""
    path = rf"{number}\.[ \u2005]*+(?P<title>.++)"
    return [*_layouts(title, url, f"{path}/.++"), *_layouts(title, url, path, requires="folder")]


def _kattis() -> list[Layout]:
    word = f"{_NO_ID}(?P<id>[a-z0-9]++)(?:(?: ++-|\\.) ++(?P<title>.++))?"
    return _layouts("{id:lower}" + _NAMED, "https://open.kattis.com/problems/{id:lower}", word)


def _spoj() -> list[Layout]:
    title, url = "{id:upper}" + _NAMED, "https://www.spoj.com/problems/{id:upper}/"
    # the first problem of the site has a generic name
    first = r"(?P<id>(?-i:TEST))(?:(?: ++-|\.) ++(?P<title>.++))?"
    return [
        *_layouts(title, url, first, requires="generic"),
        *_layouts(
            title,
            url,
            f"{_NO_ID}(?P<id>[a-z][a-z0-9_]{{1,11}}+(?<!_[0-9]))(?:(?: ++-|\\.) ++(?P<title>.++))?",
            f"{_NO_ID}(?P<id>(?-i:[A-Z][A-Z0-9_]{{1,11}}+(?<!_[0-9])))(?:[ .-]++(?P<title>.++))?",
        ),
    ]


def _codechef() -> list[Layout]:
    # ids are in capitals, as P1169; a word in small letters may mean anything
    no_id = rf"{_NO_ID}(?!(?:COOK|LTIME|START(?!0))[0-9]++[A-D]?$)"  # contests
    code = rf"(?P<id>(?-i:P[1-9][0-9]{{3}})|{no_id}(?-i:[A-Z][A-Z0-9]{{2,11}}+))"
    title = "(?: ++- ++(?P<title>.++))?"
    return _layouts("{id}" + _NAMED, "https://www.codechef.com/problems/{id}", code + title)


def _dmoj() -> list[Layout]:
    # ids of contests, such as ccc21s1 and coci06c1p1
    contests = "apio|ccc|cco|coci|dmopc|dmpg|ecoo|ioi|noi|tle"
    url = "https://dmoj.ca/problem"
    number = f"(?P<id>aplusb|(?:{contests})[0-9]{{2}}(?![0-9])[a-z0-9]{{1,6}}+)"
    return [
        *_named("{id:lower}", f"{url}/{{id:lower}}", number, lettered=True),
        *_contests(
            "CCC {year} {index:upper}" + _NAMED,
            f"{url}/ccc{{year}}{{index:lower}}",
            [f"ccc{separator}(?:20)?(?P<year>[0-2][0-9])" for separator in ("/", "[ _-]?")],
            index="(?P<index>[js][1-5])",
            rest="",
        ),
    ]


def _hackerrank() -> list[Layout]:
    # the id of a challenge is often not that of its title, so only a path of the site has it
    slug = "(?P<slug>[a-z0-9]++(?:-[a-z0-9]++)*+)"
    contest = "contests?/(?P<contest>[a-z0-9]++(?:-[a-z0-9]++)*+)/challenges"
    site, end = "https://www.hackerrank.com", "challenges/{slug:lower}/problem"
    return [
        *_layouts("{slug:words}", f"{site}/contests/{{contest:lower}}/{end}", f"{contest}/{slug}"),
        *_layouts("{slug:words}", f"{site}/{end}", f"challenges/{slug}"),
        *_layouts("{title:words}", None, "(?P<title>.++)"),
    ]


_AIZU: Final = "https://onlinejudge.u-aizu.ac.jp/problems/{id:upper}"
_COURSE: Final = r"(?P<id>(?:itp1|itp2|alds1|dsl|grl|cgl|dpl|ntl)_[0-9]{1,2}+_[a-z])"
_LESSONS: Final = "https://school.programmers.co.kr/learn/courses/30/lessons/{id}"
_BOJ: Final = "https://www.acmicpc.net/problem/{id}"
_TIERS: Final = "(?:bronze|silver|gold|platinum|diamond|ruby|unrated)[ _-]?[1-5iv]{0,3}+"
_EULER: Final = "p?[ _-]*+0*+(?P<id>[1-9][0-9]{0,2}+)"
_HDU_CONTEST: Final = "(?P<contest>[1-9][0-9]{2,3}+)"
_FOUR: Final = "(?P<id>[1-9][0-9]{3})"
_FIVE: Final = "(?P<id>[1-9][0-9]{0,4}+)"
# statements of UVa are in volumes of a hundred, named by all but the last two digits; there are no
# problems 2000 to 9999, and none from 14000 on
_UVA: Final = r"0*+(?=[0-9]{3,5}+(?![0-9]))(?P<id>(?P<volume>[1-9]|1[0-9]|1[0-3][0-9])[0-9]{2})"
_NUMBERS: Final = (
    # platform, title, number, prefix, section; URL
    (("aoj", "{id:upper}", "(?P<id>[0-9]{4})", "aoj", _VOLUME), _AIZU),
    (("baekjoon", "{id}", "(?P<id>[1-9][0-9]{3,4}+)", "boj|baekjoon|acmicpc|백준", _TIERS), _BOJ),
    (
        ("cses", "{id}", _FOUR, "cses|task|problem", _CSES_SECTION),
        "https://cses.fi/problemset/task/{id}",
    ),
    (
        ("hdu", "{id}", _FOUR, "hduoj|hdu|hdoj", None),
        "https://acm.hdu.edu.cn/showproblem.php?pid={id}",
    ),
    (("loj", "#{id}", _FIVE, "libreoj|loj|(?=#)", None), "https://loj.ac/p/{id}"),
    (
        ("nowcoder", "NC{id}", "(?P<id>[1-9][0-9]{3,6}+)", None, None),
        "https://ac.nowcoder.com/acm/problem/{id}",
    ),
    (  # the site has no https; this page has the same statement
        ("poj", "{id}", "(?P<id>[1-3][0-9]{3}|40[0-9]{2})", "poj", None),
        "https://vjudge.net/problem/POJ-{id}",
    ),
    (
        ("projecteuler", "Problem {id}", _EULER, "project[ _-]?euler|euler|problem|prob|pe", None),
        "https://projecteuler.net/problem={id}",
    ),
    (("qoj", "{id}", _FIVE, "qoj", None), "https://qoj.ac/problem/{id}"),
    (
        ("timus", "{id}", "(?P<id>1[0-9]{3}|2[01][0-9]{2})", "timus|ural", _VOLUME),
        "https://acm.timus.ru/problem.aspx?space=1&num={id}",
    ),
    (("uva", "{id}", _UVA, "uva", _VOLUME), "https://onlinejudge.org/external/{volume}/{id}.pdf"),
)
"""The platforms whose problems have one number: in their folder, in a section, after a prefix."""
_FOLDERS: Final = {
    "aoj": "aizu|aizu online judge",
    "atcoder": "atc|at|ac|atcoder.jp",
    "baekjoon": "boj|백준|baekjoon online judge|acmicpc|acmicpc.net",
    "codechef": "codechef.com",
    "codeforces": "cf|codeforces.com|gym|cf gym|codeforces gym",
    "cses": "cses.fi|cses problem set",
    "dmoj": "dmoj.ca",
    "hackerrank": "hackerrank.com",
    "hdu": "hdoj|hduoj",
    "kattis": "open kattis|open.kattis.com",
    "leetcode": "lc|leetcode.com",
    "loj": "libreoj|loj.ac",
    "luogu": "lg|luogu.com.cn|洛谷",
    "nowcoder": "nc|nowcoder.com|牛客",
    "poj": "poj.org",
    "programmers": "프로그래머스",
    "projecteuler": "project euler|pe|euler|projecteuler.net",
    "qoj": "qoj.ac",
    "spoj": "sphere online judge",
    "timus": "acm.timus.ru|timus online judge|ural",
    "uva": "uva oj|uva online judge|onlinejudge",
    "vjudge": "vj|virtual judge|vjudge.net",
}
"""Platform to the other names of its folder."""


@cache
def known_platforms() -> tuple[Platform, ...]:
    """Return the built-in platforms, sorted by name."""
    layouts = defaultdict(
        list,
        {
            "aoj": _named("{id:upper}", _AIZU, f"(?:aoj)?[ _-]*+{_COURSE}"),
            "atcoder": _atcoder(),
            "baekjoon": _hub("{id}" + _NAMED, _BOJ, "(?P<id>[1-9][0-9]{3,4}+)"),
            "codechef": _codechef(),
            "codeforces": _codeforces(),
            "dmoj": _dmoj(),
            "hackerrank": _hackerrank(),
            "hdu": _contests(
                _LETTERED, None, [_HDU_CONTEST], joint=None, rest=_ROUND, requires="contest"
            ),
            "kattis": _kattis(),
            "leetcode": _leetcode(),
            "luogu": _luogu(),
            "nowcoder": _nowcoder(),
            "programmers": _hub("{id} - {title}", _LESSONS, "(?P<id>[1-9][0-9]{3,5}+)"),
            "qoj": _qoj(),
            "spoj": _spoj(),
            "vjudge": _vjudge(),
        },
    )
    for (name, title, number, prefix, section), url in _NUMBERS:
        before = prefix and f"(?:{prefix})[ _#-]*+"
        layouts[name] += _numbered(title, url, number, prefix=before, section=section)
    return tuple(
        Platform(name, [name, *folders.split("|")], tuple(layouts[name]))
        for name, folders in _FOLDERS.items()
    )
