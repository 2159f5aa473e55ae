"""The built-in platforms: their folders, layouts and URLs.

This module is data: `sitedata.building.platforms` has the rules of matching,
`sitedata.building.templates` those of patterns.

A bare number may count anything: weeks, years, attempts, contests.  It names a problem only
directly in the platform's folder or in one of the platform's sections; elsewhere it needs a prefix
of the platform.
"""

from functools import cache
from typing import Final

from sitedata.building.platforms import Layout, Platform, Requirement

_TITLE: Final = r"(?:[ ._-]++(?P<title>.++))?"
"""The rest of a name after an id."""
_MORE: Final = r"(?:[ ._(-].*+)?"
"""After a contest id that is unambiguous, in the name of a folder: any text."""
_ROUND: Final = r"(?:(?: ++[-(:]|[.:] ).++)"
"""After a bare number: a separated round name; not `4 weeks`, not `2024-01-05`."""
_YEAR: Final = "20[0-4][0-9]"
_USUAL_FILE: Final = (
    r"(?:main|sol|solve|solved|solution|code|answer|ans|ac|accepted|program|prog|src|std)"
    r"[ ._-]?[0-9]*+"
)
"""Usual names of a file whose folder names the problem."""
_USUAL_FILE_OR_LETTER: Final = f"(?:{_USUAL_FILE}|[a-z])"
"""The same if the folder's name is unambiguous."""
_NO_ID: Final = (
    rf"(?!(?:{_USUAL_FILE}|[a-z]|[0-9]++|brute|checker|common|debug|gen|helpers?|libs?|library"
    r"|notes?|scratch|stress|te?mp|template|utils?)(?:[ .-]|$))"
)
"""Before an id that is a word: excludes usual names of other files."""
_INDEX: Final = r"(?P<index>[a-z][0-9]?)"
_NAMED: Final = "[ - {title:words}]"
_HUB_TITLE: Final = r"\.[ \u2005]*+(?P<title>.++)"
"""The rest of a folder after an id, as BaekjoonHub writes it: a dot, a space, the title."""
_LETTERED: Final = "{contest}{index:upper}" + _NAMED
EXTRA_TASK_CONTESTS: Final = "(?:23[3-9]|2[4-9][0-9]|30[0-9]|31[0-8])"
"""Numbers of the contests ABC whose eighth task is called Ex, and has the URL of `h`."""


def _layouts(
    title: str, url: str | None, *paths: str, requires: Requirement | None = None
) -> list[Layout]:
    return [Layout(path, title, url, requires) for path in paths]


def _tasks(
    contest: str, index: str = _INDEX, *, joint: str = "[ _-]?", rest: str = _MORE
) -> tuple[str, str]:
    """Return the patterns of a contest's tasks: `contest joint index`, and `contest rest/index`."""
    return f"{contest}{joint}{index}{_TITLE}", f"{contest}{rest}/{index}{_TITLE}"


def _named(
    title: str, url: str, number: str, *, rest: str = _TITLE, file: str = _USUAL_FILE
) -> list[Layout]:
    """Return the layouts of an id that is unambiguous anywhere: a file, or a folder of files."""
    return [
        *_layouts(title + _NAMED, url, number + rest),
        *_layouts(title + _NAMED, url, f"{number}{rest}/{file}", requires="no contest"),
    ]


def _numbered(
    title: str, url: str, number: str, *, prefix: str | None = None, section: str | None = None
) -> list[Layout]:
    """Return the layouts of a platform whose problems have one number."""
    places = ["/"] if section is None else ["/", f"/{section}/"]
    bare = [layout for place in places for layout in _named(title, url, place + number)]
    return bare if prefix is None else [*_named(title, url, prefix + number), *bare]


def _codeforces() -> list[Layout]:
    contest, gym = r"(?P<contest>[1-9][0-9]{0,3}+)", r"(?P<contest>10[0-9]{4})"
    group, grouped = r"group/(?P<group>[a-z0-9]++)", r"(?P<contest>[1-9][0-9]{5})"
    joint = "[ ._-]?"
    index = f"(?:problem)?[ _-]*+{_INDEX}{_TITLE}"
    site, problem = "https://codeforces.com", "{contest}/problem/{index:upper}"
    return [
        *_layouts(
            _LETTERED,
            f"{site}/group/{{group}}/contest/{problem}",
            *_tasks(f"{group}/{grouped}", joint=joint),
            *_tasks(f"{group}/contest/{grouped}", joint=joint),
        ),
        *_layouts(
            f"Gym {_LETTERED}",
            f"{site}/gym/{problem}",
            *_tasks(f"(?:gym|cf)?[ _-]*+{gym}", joint=joint),
        ),
        *_layouts(
            "SGU {number}" + _NAMED,
            f"{site}/problemsets/acmsguru/problem/99999/{{number}}",
            rf"(?:acm)?sgu(?:ru)?/(?:sgu)?[ _-]*+(?P<number>[1-9][0-9]{{2}}){_TITLE}",
        ),
        *_layouts(
            _LETTERED,
            f"{site}/problemset/problem/{{contest}}/{{index:upper}}",
            *_tasks(f"problemset/{contest}", joint=joint, rest=""),
            f"problemset/problem/{contest}/{_INDEX}{_TITLE}",
        ),
        *_layouts(
            _LETTERED,
            f"{site}/contest/{problem}",
            f"(?:cf|codeforces|problem)?[ _-]*+{contest}{joint}{_INDEX}{_TITLE}",
            f"(?:cf|contest)[ _-]*+{contest}{_ROUND}?/{index}",
            f"contest/{contest}{_ROUND}?/{index}",
            f"(?!{_YEAR})(?=[0-9]{{3}}){contest}{_ROUND}?/{index}",
        ),
        *_layouts(
            _LETTERED,
            f"{site}/contest/{problem}",
            f"(?=[0-9]{{3}}){contest}/{index}",
            requires="contest",
        ),
    ]


def _atcoder() -> list[Layout]:
    site = "https://atcoder.jp/contests"
    # the tasks of these contests were numbered
    early = r"(?P<contest>abc0(?:0[1-9]|1[0-9])|arc0(?:0[1-9]|[12][0-9]|3[0-4]))"
    layouts = _layouts(
        "{contest:upper} {index:upper}" + _NAMED,
        f"{site}/{{contest:lower}}/tasks/{{contest:lower}}_{{index:ordinal}}",
        *_tasks(early, "(?P<index>[a-d1-4])"),
    )
    rows = (
        # series, number, index, and index in the URL
        # the last two tasks of these may belong to another contest and have only its name
        ("abc", "(?:0(?:4[2-9]|[5-9][0-9])|1(?:0[0-9]|1[01]))", "[cd]", None),
        # tasks C to F of these have the URLs of `a` to `d`
        ("arc", "(?:0(?:5[89]|[6-9][0-9])|10[0-3])", "[c-f]", None),
        ("abc", EXTRA_TASK_CONTESTS, "ex", "h"),
        ("(?:abc|arc|agc|ahc)", "[0-9]{3}", "[a-z]", "{index:lower}"),
    )
    for series, number, index, letter in rows:
        for path, contest in (
            (f"(?P<contest>{series}{number})", "{contest:lower}"),
            (f"(?P<series>{series})/(?P<number>{number})", "{series:lower}{number}"),
        ):
            title = contest.replace("lower", "upper") + " {index:upper}" + _NAMED
            url = letter and f"{site}/{contest}/tasks/{contest}_{letter}"
            layouts += _layouts(title, url, *_tasks(path, f"(?P<index>{index})"))
    # contests of companies and others have a year
    other = rf"(?P<contest>[a-z](?:[a-z-](?!{_YEAR}))*+[a-z-]?{_YEAR}(?:[a-z-][a-z0-9-]*+)?)"
    named = r"(?P<contest>dp|abl|acl1|practice2|typical90|tessoku-book|math-and-algorithm)"
    return layouts + _layouts(
        "{contest:lower} {index:upper}" + _NAMED,
        f"{site}/{{contest:lower}}/tasks/{{contest:snake}}_{{index:lower}}",
        rf"{named}/(?P<index>[a-z]{{1,2}}+){_TITLE}",
        f"{other}_(?P<index>[a-z0-9]){_TITLE}",
    )


def _luogu() -> list[Layout]:
    number = r"[0-9]{1,6}+"
    problem = rf"(?P<id>[PBTU]{number}|CF{number}[a-z][0-9]?|SP{number}|UVA{number})"
    site = "https://www.luogu.com.cn/problem"
    return [
        *_named("{id:upper}", f"{site}/{{id:upper}}", problem, file=_USUAL_FILE_OR_LETTER),
        *_named(
            "AT_{id:lower}",
            f"{site}/AT_{{id:lower}}",
            r"AT_(?P<id>[a-z0-9]++(?:_[a-z0-9]++)*+)",
            file=_USUAL_FILE_OR_LETTER,
        ),
    ]


def _nowcoder() -> list[Layout]:
    contest, number = r"(?P<contest>[1-9][0-9]{2,5}+)", r"(?P<id>[1-9][0-9]{3,6}+)"
    site = "https://ac.nowcoder.com/acm"
    title, url = "NC{id}", f"{site}/problem/{{id}}"
    lettered = f"{site}/contest/{{contest}}/{{index:upper}}"
    return [
        *_named(title, url, rf"NC[ _-]*+{number}", file=_USUAL_FILE_OR_LETTER),
        *_layouts(
            _LETTERED,
            lettered,
            f"(?:contest[ _-]*+)?{contest}[ ._-]?{_INDEX}{_TITLE}",
            f"contest[ _-]*+{contest}{_ROUND}?/{_INDEX}{_TITLE}",
            f"contest/{contest}{_ROUND}?/{_INDEX}{_TITLE}",
        ),
        *_layouts(_LETTERED, lettered, f"{contest}{_ROUND}?/{_INDEX}{_TITLE}", requires="contest"),
        *_numbered(title, url, number),
    ]


def _vjudge() -> list[Layout]:
    judge = (
        r"(?P<judge>aizu|atcoder|codechef|codeforces|csg|e-olymp|fzu|gym|hdu|hysbz|kattis|libreoj"
        r"|lightoj|nbut|openj_bailian|poj|qoj|sgu|spoj|timus|toph|ural|uva|uvalive|zoj)"
    )
    contest = r"(?P<contest>[1-9][0-9]{3,6}+)"
    title, url = "{contest} {index:upper}" + _NAMED, "https://vjudge.net/contest/{contest}"
    return [
        *_named(
            "{judge} {id}",
            "https://vjudge.net/problem/{judge}-{id}",
            rf"{judge}[ _-](?P<id>[a-z0-9]++(?:_[a-z0-9]{{1,2}}+)*+)",
            rest=r"(?:[ .-]++(?P<title>.++))?",
        ),
        *_layouts(
            title,
            f"{url}#problem/{{index:upper}}",
            f"contest[ _-]*+{contest}{_ROUND}?/{_INDEX}{_TITLE}",
            f"contest/{contest}{_ROUND}?/{_INDEX}{_TITLE}",
            f"(?!{_YEAR}(?![0-9])){contest}{_ROUND}?/{_INDEX}{_TITLE}",
        ),
        *_layouts(
            title,
            f"{url}#problem/{{index:upper}}",
            f"{contest}/{_INDEX}{_TITLE}",
            requires="contest",
        ),
    ]


def _hdu() -> list[Layout]:
    return [
        *_layouts(
            _LETTERED,
            None,
            f"(?P<contest>[1-9][0-9]{{2,3}}+){_ROUND}?/{_INDEX}{_TITLE}",
            requires="contest",
        ),
        *_numbered(
            "{id}",
            "https://acm.hdu.edu.cn/showproblem.php?pid={id}",
            "(?P<id>[1-9][0-9]{3})",
            prefix="(?:hduoj|hdu|hdoj)[ _-]*+",
        ),
    ]


def _qoj() -> list[Layout]:
    number, contest = r"(?P<id>[1-9][0-9]{0,4}+)", r"(?P<contest>[1-9][0-9]{0,4}+)"
    problem = f"(?:qoj)?[ _#-]*+{number}"
    return [
        *_layouts(
            "{id}" + _NAMED,
            "https://qoj.ac/contest/{contest}/problem/{id}",
            f"contest[ _-]?{contest}{_MORE}/{problem}{_TITLE}",
            f"contest/{contest}{_MORE}/{problem}{_TITLE}",
        ),
        *_layouts(
            _LETTERED,
            None,
            f"contest[ _-]?{contest}{_MORE}/{_INDEX}{_TITLE}",
            f"contest/{contest}{_MORE}/{_INDEX}{_TITLE}",
        ),
        *_layouts(_LETTERED, None, f"{contest}{_ROUND}?/{_INDEX}{_TITLE}", requires="contest"),
        *_numbered("{id}", "https://qoj.ac/problem/{id}", number, prefix="qoj[ _#-]*+"),
    ]


def _worded(case: str, url: str, word: str) -> list[Layout]:
    """Return the layouts of a platform whose ids are words: a folder of files, or a file."""
    named = f"{_NO_ID}(?P<id>{word})"
    title = f"{{id:{case}}}{_NAMED}"
    rest = r"(?:[ .-]++(?P<title>.++))?"
    return _layouts(title, url, f"{named}{rest}/{_USUAL_FILE}", named + rest, requires="no contest")


_LEETCODE_SHORT: Final = (
    "(?:01-matrix|1-bit-and-2-bit-characters|132-pattern|2-keys-keyboard|24-game|4-keys-keyboard"
    "|3sum|4sum|candy|combinations|heaters|ipo|minesweeper|permutations|sqrtx|subsets|triangle)"
)
"""Ids that a number begins, or that are one word; elsewhere such a name may mean anything."""


def _leetcode() -> list[Layout]:
    # a title does not begin with four digits or two zeros; dates are excluded
    padded = r"(?P<number>[0-9]{4}|00[0-9])[ _-]++(?![0-9]{2}[ ._-][0-9]{2}(?![0-9]))"
    dotted = r"(?P<number>[0-9]{1,4}+)\.[ _-]*+"
    numbered = [
        f"(?:(?:lc|leetcode|problem)[ _-]*+)?{number}(?P<title>.++)" for number in (padded, dotted)
    ]
    inside = [f"{folder}/{_USUAL_FILE}" for folder in numbered]
    short = f"(?P<title>{_LEETCODE_SHORT})"
    # LeetHub names the folder and the file alike
    numbers = rf"(?!{_LEETCODE_SHORT}$)(?P<number>[1-9][0-9]{{0,3}}+)"
    hub = f"{numbers}-(?P<title>[a-z0-9]++(?:-[a-z0-9]++)*+)"
    counted = rf"(?!{_LEETCODE_SHORT}$)[0-9]{{1,4}}+[ _-]++(?P<title>.++)"
    # A word and a number, such as `day-01`, is no id; neither is one of leetcode.cn, as `LCP-01`.
    no_id = "(?:(?:lc[prs]?|lcof|lcci|leetcode|problem)-)?[0-9]++-|[a-z]++-[0-9]++$"
    slug = f"(?!{no_id})(?P<title>[a-z0-9]++(?:-[a-z0-9]++)++)"
    url = "https://leetcode.com/problems/{title:slug}/"
    return [
        *_layouts("{number:number}. {title:words}", url, *inside, *numbered),
        *_layouts(
            "{title:words}",
            url,
            f"{short}/(?:{_USUAL_FILE}|{_LEETCODE_SHORT})",
            short,
            requires="slugs",
        ),
        *_layouts("{number}. {title:words}", url, f"{hub}/.++", requires="same name"),
        *_layouts("{title:words}", url, f"{counted}/{_USUAL_FILE}", counted, requires="numbered"),
        *_layouts("{title:words}", url, f"{slug}/{_USUAL_FILE}", slug),
    ]


def _uva() -> list[Layout]:
    # statements are in volumes of a hundred, named by all but the last two digits; there are no
    # problems 2000 to 9999, and none from 14000 on
    number = r"(?P<id>(?P<volume>[1-9]|1[0-9]|1[0-3][0-9])[0-9]{2})"
    return _numbered(
        "{id}",
        "https://onlinejudge.org/external/{volume}/{id}.pdf",
        rf"0*+(?=[0-9]{{3,5}}+(?![0-9])){number}",
        prefix="uva[ _-]*+",
        section=_VOLUME,
    )


_VOLUME: Final = r"vol(?:ume)?[ ._-]*+(?:[0-9]++|[clxvi]++)(?:[ _-]*+\([0-9 -]++\))?"
_CSES_SECTION: Final = (
    r"(?:[0-9]{1,2}+[ ._-]++)?(?:(?:introductory|dynamic|graph|tree|string|additional|advanced"
    r"|construction|counting|interactive|sorting|range|geometry|mathematics|bitwise|sliding)"
    r"(?:[ _-].*+|(?:problems|programming|algorithms|queries|techniques))?)"
)
_EULER: Final = r"(?P<id>[1-9][0-9]{0,2}+)"


def _euler() -> list[Layout]:
    title, url = "Problem {id}", "https://projecteuler.net/problem={id}"
    prefix = r"(?:project[ _-]?euler|euler|problem|prob|pe)[ _-]*+0*+"
    return _numbered(title, url, f"p?[ _-]*+0*+{_EULER}") + _named(title, url, prefix + _EULER)


def _baekjoon() -> list[Layout]:
    title, url = "{id}", "https://www.acmicpc.net/problem/{id}"
    number = "(?P<id>[1-9][0-9]{3,4}+)"
    return [
        *_layouts(title + _NAMED, url, f"{number}{_HUB_TITLE}/.++"),
        *_numbered(
            title,
            url,
            number,
            prefix="(?:boj|baekjoon|acmicpc|백준)[ _-]*+",
            section="(?:bronze|silver|gold|platinum|diamond|ruby|unrated)[ _-]?[1-5iv]{0,3}+",
        ),
    ]


def _codechef() -> list[Layout]:
    # ids are in capitals; a word in small letters may mean anything
    code = rf"{_NO_ID}(?P<id>(?-i:[A-Z][A-Z0-9]{{2,11}}+))"
    title, url = "{id}" + _NAMED, "https://www.codechef.com/problems/{id}"
    named = f"{code}(?: ++- ++(?P<title>.++))?"
    return _layouts(title, url, f"{named}/{_USUAL_FILE}", named, requires="no contest")


def _dmoj() -> list[Layout]:
    # ids of contests, such as ccc21s1 and coci06c1p1
    contests = "apio|ccc|cco|coci|dmopc|dmpg|ecoo|ioi|noi|tle"
    url = "https://dmoj.ca/problem"
    return [
        *_named(
            "{id:lower}",
            f"{url}/{{id:lower}}",
            f"(?P<id>aplusb|(?:{contests})[0-9]{{2}}[a-z0-9]{{1,6}}+)",
            file=_USUAL_FILE_OR_LETTER,
        ),
        *_layouts(
            "CCC {year} {index:upper}" + _NAMED,
            f"{url}/ccc{{year}}{{index:lower}}",
            f"ccc/(?:20)?(?P<year>[0-2][0-9])/(?P<index>[js][1-5]){_TITLE}",
        ),
    ]


def _hackerrank() -> list[Layout]:
    # the id of a challenge is often not that of its title, so only a path of the site has it
    slug = f"(?!{_USUAL_FILE}$)(?P<slug>[a-z0-9]++(?:-[a-z0-9]++)*+)"
    contest = "contests/(?P<contest>[a-z0-9]++(?:-[a-z0-9]++)*+)/challenges"
    site, end = "https://www.hackerrank.com", "challenges/{slug:lower}/problem"
    return [
        *_layouts(
            "{slug:words}",
            f"{site}/contests/{{contest:lower}}/{end}",
            f"{contest}/{slug}/{_USUAL_FILE}",
            f"{contest}/{slug}",
        ),
        *_layouts(
            "{slug:words}",
            f"{site}/{end}",
            f"challenges/{slug}/{_USUAL_FILE}",
            f"challenges/{slug}",
        ),
        *_layouts("{title:words}", None, f"(?P<title>.++)/{_USUAL_FILE}", "(?P<title>.++)"),
    ]


def _programmers() -> list[Layout]:
    url = "https://school.programmers.co.kr/learn/courses/30/lessons/{id}"
    return _layouts("{id} - {title}", url, f"(?P<id>[1-9][0-9]{{3,5}}+){_HUB_TITLE}/.++")


@cache
def known_platforms() -> tuple[Platform, ...]:
    """Return the built-in platforms, sorted by name."""
    courses = "itp1|itp2|alds1|dsl|grl|cgl|dpl|ntl"
    course = rf"(?:aoj)?[ _-]*+(?P<id>(?:{courses})_[0-9]{{1,2}}+_[a-z])"
    aizu = "https://onlinejudge.u-aizu.ac.jp/problems/{id:upper}"
    return (
        Platform(
            "aoj",
            ["aoj", "aizu", "aizu online judge"],
            [
                *_named("{id:upper}", aizu, course),
                *_numbered(
                    "{id:upper}",
                    aizu,
                    "(?P<id>[0-9]{4})",
                    prefix="aoj[ _-]*+",
                    section=_VOLUME,
                ),
            ],
        ),
        Platform("atcoder", ["atcoder", "atc", "at", "ac", "atcoder.jp"], _atcoder()),
        Platform(
            "baekjoon",
            ["baekjoon", "boj", "백준", "baekjoon online judge", "acmicpc", "acmicpc.net"],
            _baekjoon(),
        ),
        Platform("codechef", ["codechef", "codechef.com"], _codechef()),
        Platform(
            "codeforces",
            ["codeforces", "cf", "codeforces.com", "gym", "cf gym", "codeforces gym"],
            _codeforces(),
        ),
        Platform(
            "cses",
            ["cses", "cses.fi", "cses problem set"],
            _numbered(
                "{id}",
                "https://cses.fi/problemset/task/{id}",
                "(?P<id>[1-9][0-9]{3})",
                prefix="(?:cses|task|problem)[ _-]*+",
                section=_CSES_SECTION,
            ),
        ),
        Platform("dmoj", ["dmoj", "dmoj.ca"], _dmoj()),
        Platform("hackerrank", ["hackerrank", "hackerrank.com"], _hackerrank()),
        Platform("hdu", ["hdu", "hdoj", "hduoj"], _hdu()),
        Platform(
            "kattis",
            ["kattis", "open kattis", "open.kattis.com"],
            _worded("lower", "https://open.kattis.com/problems/{id:lower}", "[a-z0-9]++"),
        ),
        Platform("leetcode", ["leetcode", "lc", "leetcode.com"], _leetcode()),
        Platform(
            "loj",
            ["loj", "libreoj", "loj.ac"],
            _numbered(
                "#{id}",
                "https://loj.ac/p/{id}",
                "(?P<id>[1-9][0-9]{0,4}+)",
                prefix="(?:(?:libreoj|loj)[ _#-]*+|#)",
            ),
        ),
        Platform("luogu", ["luogu", "lg", "luogu.com.cn", "洛谷"], _luogu()),
        Platform("nowcoder", ["nowcoder", "nc", "nowcoder.com", "牛客"], _nowcoder()),
        Platform(
            "poj",
            ["poj", "poj.org"],
            _numbered(  # the site has no https; this page has the same statement
                "{id}",
                "https://vjudge.net/problem/POJ-{id}",
                "(?P<id>[1-3][0-9]{3}|40[0-9]{2})",
                prefix="poj[ _-]*+",
            ),
        ),
        Platform("programmers", ["programmers", "프로그래머스"], _programmers()),
        Platform("projecteuler", ["project euler", "pe", "euler", "projecteuler.net"], _euler()),
        Platform("qoj", ["qoj", "qoj.ac"], _qoj()),
        Platform(
            "spoj",
            ["spoj", "sphere online judge"],
            _worded("upper", "https://www.spoj.com/problems/{id:upper}/", "[a-z][a-z0-9_]{1,11}+"),
        ),
        Platform(
            "timus",
            ["timus", "acm.timus.ru", "timus online judge", "ural"],
            _numbered(
                "{id}",
                "https://acm.timus.ru/problem.aspx?space=1&num={id}",
                "(?P<id>1[0-9]{3}|2[01][0-9]{2})",
                prefix="(?:timus|ural)[ _-]*+",
                section=_VOLUME,
            ),
        ),
        Platform("uva", ["uva", "uva oj", "uva online judge", "onlinejudge"], _uva()),
        Platform("vjudge", ["vjudge", "vj", "virtual judge", "vjudge.net"], _vjudge()),
    )
