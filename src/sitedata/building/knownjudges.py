"""The judges that are known without being configured: their folders, layouts and addresses.

Source: rulings under "Site-data file"; the judges' own public addresses.  This is data: rules of
matching are `sitedata.building.judges`, and of patterns `sitedata.building.patterns`.
"""

from functools import cache
from typing import Final

from sitedata.building.judges import Judge, Layout

__all__ = ["known_judges"]

_TITLE: Final = r"(?:[ ._-]++(?P<title>.++))?"
"""After an id: what else the name says."""
_MORE: Final = r"(?:[ ._(-].*+)?"
"""After the id of a contest in the name of a folder: anything."""
_ANY: Final = (
    r"(?:main|sol|solve|solved|solution|code|answer|ans|ac|accepted|program|prog|src|a|std)"
    r"[ ._-]?[0-9]*+"
)
"""What a file is called where its folder names the problem."""
_INDEX: Final = r"(?P<index>[a-z][0-9]?)"
_NAMED: Final = "[ - {title:words}]"


def _layouts(title: str, url: str, *paths: str) -> list[Layout]:
    return [Layout(path, title, url) for path in paths]


def _numbered(title: str, url: str, number: str, said: str = _TITLE) -> list[Layout]:
    """Give the layouts of a judge whose problems have one number: file, or folder of files."""
    return _layouts(title + _NAMED, url, number + said, f"{number}{said}/{_ANY}")


def _codeforces() -> list[Layout]:
    contest, gym = r"(?P<contest>[1-9][0-9]{0,3}+)", r"(?P<contest>10[0-9]{4})"
    group, grouped = r"group/(?P<group>[a-z0-9]++)", r"(?P<contest>[1-9][0-9]{5})"
    task = f"[ ._-]?{_INDEX}{_TITLE}"
    title = "{contest}{index:upper}" + _NAMED
    site, problem = "https://codeforces.com", "{contest}/problem/{index:upper}"
    return [
        *_layouts(
            title,
            f"{site}/group/{{group}}/contest/{problem}",
            f"{group}/{grouped}{task}",
            f"{group}/{grouped}{_MORE}/{_INDEX}{_TITLE}",
            f"{group}/contest/{grouped}{task}",
            f"{group}/contest/{grouped}{_MORE}/{_INDEX}{_TITLE}",
        ),
        *_layouts(
            f"Gym {title}",
            f"{site}/gym/{problem}",
            f"(?:gym|cf)?[ _-]*+{gym}{task}",
            f"(?:gym|cf)?[ _-]*+{gym}{_MORE}/{_INDEX}{_TITLE}",
        ),
        *_layouts(
            "SGU {number}" + _NAMED,
            f"{site}/problemsets/acmsguru/problem/99999/{{number}}",
            rf"(?:acm)?sgu(?:ru)?/(?:sgu)?[ _-]*+(?P<number>[1-9][0-9]{{2}}){_TITLE}",
        ),
        *_layouts(
            title,
            f"{site}/problemset/problem/{{contest}}/{{index:upper}}",
            f"problemset/{contest}{task}",
            f"problemset/{contest}/{_INDEX}{_TITLE}",
            f"problemset/problem/{contest}/{_INDEX}{_TITLE}",
        ),
        *_layouts(
            title,
            f"{site}/contest/{problem}",
            f"(?:cf|codeforces|problem)?[ _-]*+{contest}{task}",
            f"(?:cf|contest)?[ _-]*+{contest}{_MORE}/(?:problem)?[ _-]*+{_INDEX}{_TITLE}",
        ),
    ]


def _atcoder() -> list[Layout]:
    index = r"(?P<index>ex|[a-z])"
    series, number = r"(?P<series>abc|arc|agc|ahc)", r"(?P<number>[0-9]{3})"
    # in these contests the tasks were numbered
    early = r"(?P<contest>abc0(?:0[1-9]|1[0-9])|arc0(?:0[1-9]|[12][0-9]|3[0-4]))"
    contest = r"(?P<contest>(?:abc|arc|agc|ahc)[0-9]{3})"
    named = r"(?P<contest>dp|abl|acl1|practice2|typical90|tessoku-book|math-and-algorithm)"
    any_contest = r"(?P<contest>[a-z]++[0-9]++[a-z0-9]*+)"
    site = "https://atcoder.jp/contests"
    title = "{contest:upper} {index:upper}" + _NAMED
    task = "{contest:lower}/tasks/{contest:lower}_{index:lower}"
    return [
        *_layouts(
            title,
            f"{site}/{{contest:lower}}/tasks/{{contest:lower}}_{{index:ordinal}}",
            f"{early}[ _-]?(?P<index>[a-d1-4]){_TITLE}",
            f"{early}{_MORE}/(?P<index>[a-d1-4]){_TITLE}",
        ),
        *_layouts(
            title,
            f"{site}/{task}",
            f"{contest}[ _-]?{index}{_TITLE}",
            f"{contest}{_MORE}/{index}{_TITLE}",
        ),
        *_layouts(
            "{series:upper}{number} {index:upper}" + _NAMED,
            f"{site}/{{series:lower}}{{number}}/tasks/{{series:lower}}{{number}}_{{index:lower}}",
            f"{series}/{number}[ _-]?{index}{_TITLE}",
            f"{series}/{number}{_MORE}/{index}{_TITLE}",
        ),
        *_layouts(
            "{contest:lower} {index:upper}" + _NAMED,
            f"{site}/{{contest:lower}}/tasks/{{contest:snake}}_{{index:lower}}",
            rf"{named}/(?P<index>[a-z]{{1,2}}+){_TITLE}",
        ),
        *_layouts(
            "{contest:lower} {index:upper}" + _NAMED,
            f"{site}/{task}",
            f"{any_contest}_(?P<index>[a-z0-9]){_TITLE}",
        ),
    ]


def _luogu() -> list[Layout]:
    number = r"[0-9]{1,6}+"
    problem = rf"(?P<id>[PBTU]{number}|CF{number}[a-z][0-9]?|SP{number}|UVA{number})"
    site = "https://www.luogu.com.cn/problem"
    return [
        *_numbered("{id:upper}", f"{site}/{{id:upper}}", problem),
        *_numbered(
            "AT_{id:lower}", f"{site}/AT_{{id:lower}}", r"AT_(?P<id>[a-z0-9]++(?:_[a-z0-9]++)*+)"
        ),
        *_numbered("P{id}", f"{site}/P{{id}}", r"(?P<id>[1-9][0-9]{3,4}+)"),
    ]


def _nowcoder() -> list[Layout]:
    contest = r"(?:contest)?[ _-]*+(?P<contest>[1-9][0-9]{2,5}+)"
    site = "https://ac.nowcoder.com/acm"
    return [
        *_numbered("NC{id}", f"{site}/problem/{{id}}", r"NC[ _-]*+(?P<id>[1-9][0-9]{2,6}+)"),
        *_layouts(
            "{contest}{index:upper}" + _NAMED,
            f"{site}/contest/{{contest}}/{{index:upper}}",
            f"{contest}[ ._-]?{_INDEX}{_TITLE}",
            f"{contest}{_MORE}/{_INDEX}{_TITLE}",
        ),
        *_numbered("NC{id}", f"{site}/problem/{{id}}", r"(?P<id>[1-9][0-9]{3,6}+)"),
    ]


def _vjudge() -> list[Layout]:
    judge = (
        r"(?P<judge>aizu|atcoder|codechef|codeforces|csg|e-olymp|fzu|gym|hdu|hysbz|kattis|libreoj"
        r"|lightoj|nbut|openj_bailian|poj|qoj|sgu|spoj|timus|toph|ural|uva|uvalive|zoj)"
    )
    return [
        *_numbered(
            "{judge} {id}",
            "https://vjudge.net/problem/{judge}-{id}",
            rf"{judge}[ _-](?P<id>[a-z0-9]++(?:_[a-z0-9]{{1,2}}+)*+)",
            r"(?:[ .-]++(?P<title>.++))?",
        ),
        *_layouts(
            "{contest} {index:upper}" + _NAMED,
            "https://vjudge.net/contest/{contest}#problem/{index:upper}",
            rf"(?:contest)?[ _-]*+(?P<contest>[1-9][0-9]{{3,6}}+){_MORE}/{_INDEX}{_TITLE}",
        ),
    ]


def _qoj() -> list[Layout]:
    problem = r"(?:qoj)?[ _#-]*+(?P<id>[1-9][0-9]{0,4}+)"
    return [
        *_layouts(
            "{id}" + _NAMED,
            "https://qoj.ac/contest/{contest}/problem/{id}",
            rf"contest[ _-]?(?P<contest>[1-9][0-9]{{0,4}}+){_MORE}/{problem}{_TITLE}",
            rf"contest/(?P<contest>[1-9][0-9]{{0,4}}+){_MORE}/{problem}{_TITLE}",
        ),
        *_numbered("{id}", "https://qoj.ac/problem/{id}", problem),
    ]


def _worded(case: str, url: str, word: str) -> list[Layout]:
    """Give the layouts of a judge whose problems go by words: folder of files, or file."""
    named = f"(?!{_ANY}$)(?P<id>{word})"
    title = f"{{id:{case}}}{_NAMED}"
    said = r"(?:[ .-]++(?P<title>.++))?"
    return _layouts(title, url, f"{named}{said}/{_ANY}", named + said)


def _leetcode() -> list[Layout]:
    numbered = r"(?:lc|leetcode|problem)?[ _-]*+(?P<number>[0-9]{1,4}+)[ ._-]++(?P<title>.++)"
    slug = r"(?P<title>[a-z0-9]++(?:-[a-z0-9]++)++)"
    url = "https://leetcode.com/problems/{title:slug}/"
    return [
        *_layouts("{number:number}. {title:words}", url, f"{numbered}/{_ANY}", numbered),
        *_layouts("{title:words}", url, f"{slug}/{_ANY}", slug),
    ]


def _uva() -> list[Layout]:
    # statements lie in volumes of a hundred; all but the last two digits number them
    number = r"(?P<id>(?P<volume>[1-9](?:[0-9](?=[0-9]{2}))*+)[0-9]{2})"
    return _numbered(
        "{id}",
        "https://onlinejudge.org/external/{volume}/{id}.pdf",
        rf"(?:uva)?[ _-]*+0*+(?=[0-9]{{3,5}}+(?![0-9])){number}",
    )


@cache
def known_judges() -> tuple[Judge, ...]:
    """Give the judges, by name."""
    euler = r"(?:project[ _-]?)?(?:euler|problem|prob|pe|p)?[ _-]*+0*+(?P<id>[1-9][0-9]{0,2}+)"
    courses = "itp1|itp2|alds1|dsl|grl|cgl|dpl|ntl"
    aizu = rf"(?:aoj)?[ _-]*+(?P<id>[0-9]{{4}}|(?:{courses})_[0-9]{{1,2}}+_[a-z])"
    return (
        Judge(
            "aoj",
            ["aoj", "aizu", "aizu online judge"],
            _numbered("{id:upper}", "https://onlinejudge.u-aizu.ac.jp/problems/{id:upper}", aizu),
        ),
        Judge("atcoder", ["atcoder", "atc", "at", "ac", "atcoder.jp"], _atcoder()),
        Judge(
            "codeforces",
            ["codeforces", "cf", "codeforces.com", "gym", "cf gym", "codeforces gym"],
            _codeforces(),
        ),
        Judge(
            "cses",
            ["cses", "cses.fi", "cses problem set"],
            _numbered(
                "{id}",
                "https://cses.fi/problemset/task/{id}",
                r"(?:cses|task|problem)?[ _-]*+(?P<id>[1-9][0-9]{3})",
            ),
        ),
        Judge(
            "hdu",
            ["hdu", "hdoj", "hduoj"],
            _numbered(
                "{id}",
                "https://acm.hdu.edu.cn/showproblem.php?pid={id}",
                r"(?:hduoj|hdu|hdoj)?[ _-]*+(?P<id>[1-9][0-9]{3})",
            ),
        ),
        Judge(
            "kattis",
            ["kattis", "open kattis", "open.kattis.com"],
            _worded("lower", "https://open.kattis.com/problems/{id:lower}", "[a-z0-9]++"),
        ),
        Judge("leetcode", ["leetcode", "lc", "leetcode.com"], _leetcode()),
        Judge(
            "loj",
            ["loj", "libreoj", "loj.ac"],
            _numbered(
                "#{id}",
                "https://loj.ac/p/{id}",
                r"(?:libreoj|loj)?[ _#-]*+(?P<id>[1-9][0-9]{0,4}+)",
            ),
        ),
        Judge("luogu", ["luogu", "lg", "luogu.com.cn", "洛谷"], _luogu()),
        Judge("nowcoder", ["nowcoder", "nc", "nowcoder.com", "牛客"], _nowcoder()),
        Judge(
            "projecteuler",
            ["project euler", "pe", "euler", "projecteuler.net"],
            _numbered("Problem {id}", "https://projecteuler.net/problem={id}", euler),
        ),
        Judge("qoj", ["qoj", "qoj.ac"], _qoj()),
        Judge(
            "spoj",
            ["spoj", "sphere online judge"],
            _worded("upper", "https://www.spoj.com/problems/{id:upper}/", "[a-z][a-z0-9_]{1,11}+"),
        ),
        Judge("uva", ["uva", "uva oj", "uva online judge", "onlinejudge"], _uva()),
        Judge("vjudge", ["vjudge", "vj", "virtual judge", "vjudge.net"], _vjudge()),
    )
