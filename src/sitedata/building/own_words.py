"""Links and titles that files name themselves: in their first lines, or in a README beside them.

Invariant *only what is certain*: a link counts if all words about a file name one problem of a
known site; a README speaks of the files of its folder only if they are of one problem.
Invariant *linear*: all patterns are possessive.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape
from typing import Final

from sitedata.building.history import ListedFile, Warnings, Words
from sitedata.building.names import is_bare, is_generic_name
from sitedata.parsing import plain_text

MAX_WORDS_BYTES: Final = 1 << 18
"""Size of a file that is read."""
_HEAD_LINES: Final = 20
_MAX_TITLE: Final = 200  # characters; longer headings are text
_README: Final = re.compile(rb"readme(?:[._-][a-z_-]++)*+", re.IGNORECASE)

_PROBLEM: Final = re.compile(
    r"""https?://(?P<place>(?:www\.)?(?:
      ac\.nowcoder\.com/acm/(?:contest/[0-9]++/[a-z][0-9]?|problem/[0-9]++)
    | acm\.hdu\.edu\.cn/showproblem\.php\?pid=[0-9]++
    | acm\.timus\.ru/problem\.aspx\?space=1&num=[0-9]++
    | acmicpc\.net/problem/[0-9]++
    | adventofcode\.com/[0-9]{4}/day/[0-9]++
    | atcoder\.jp/contests/[a-z0-9_-]++/tasks/[a-z0-9_]++
    | codechef\.com/(?:[a-z0-9]++/)?problems/[a-z0-9_]++
    | codeforces\.com/(?:(?:contest|gym)/[0-9]++/problem|problemset/problem/[0-9]++)/[a-z][0-9]?
    | codewars\.com/kata/[0-9a-f]{24}
    | cses\.fi/problemset/task/[0-9]++
    | dmoj\.ca/problem/[a-z0-9]++
    | exercism\.org/tracks/[a-z0-9-]++/exercises/[a-z0-9-]++
    | (?:practice\.)?geeksforgeeks\.org/problems/[a-z0-9-]++(?:/[0-9]++)?
    | hackerrank\.com/(?:contests/[a-z0-9-]++/)?challenges/[a-z0-9-]++
    | [a-z0-9]++\.kattis\.com/(?:contests/[a-z0-9]++/)?problems/[a-z0-9]++
    | leetcode(?:-cn)?\.(?:com|cn)/(?:contest/[a-z0-9-]++/)?problems/[a-z0-9-]++
    | loj\.ac/p(?:roblem)?/[0-9]++
    | luogu\.com\.cn/problem/[a-z0-9_]++
    | onlinejudge\.org/external/[0-9]++/[0-9]++\.pdf
    | onlinejudge\.u-aizu\.ac\.jp/problems/[a-z0-9_]++
    | projecteuler\.net/problem=[0-9]++
    | qoj\.ac/problem/[0-9]++
    | (?:school\.)?programmers\.co\.kr/learn/courses/30/lessons/[0-9]++
    | spoj\.com/problems/[a-z0-9_]++
    | swexpertacademy\.com/main/code/problem/problemDetail\.do\?contestProbId=[a-z0-9_-]++
    | vjudge\.net/problem/[a-z0-9_-]++
    ))(?![a-z0-9_])""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)

_FORMS: Final[tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]] = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        (r"^(?:www|practice|school)\.", ""),
        (r"^((?:codechef|leetcode(?:-cn)?|\w++\.kattis)\.\w++)/.*/problems", r"\1/problems"),
        (r"^(?:atcoder|dmoj|exercism|leetcode|.*kattis)\..*", lambda match: match[0].lower()),
        (r"^((?:codechef|codeforces|spoj).*/)(.*)", lambda match: match[1] + match[2].upper()),
        (r"^(acmicpc|codechef|codewars|geeksforgeeks|hackerrank|luogu|spoj)\.", r"www.\1."),
        (r"^programmers\.", "school.programmers."),
        (r"^leetcode-cn\.com", "leetcode.cn"),
        (r"^(leetcode\.|www\.spoj\.)(.++)$", r"\1\2/"),
        (r"^(www\.hackerrank\.)(.++)$", r"\1\2/problem"),
        (r"/problemset/problem/([0-9]++)/", r"/contest/\1/problem/"),
        (r"^loj\.ac/problem/", "loj.ac/p/"),
    )
)
"""Forms of the URLs of one problem, in turn, and those that builds have."""
_HEADING: Final = re.compile(
    r"^\#{1,3}[ ]{1,9}+(?P<mark>.{1,500}+)$"
    r"|<h[1-3][^<>]{0,99}+>(?P<html>(?:(?!</h[1-3]>).){1,500}+)</h[1-3]>",
    re.MULTILINE | re.IGNORECASE,
)
_LINK: Final = re.compile(r"!?\[([^\[\]]*+)\]\([^()]*+(?:\([^()]*+\)[^()]*+)*+\)")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]++")
_TAG: Final = re.compile(r"<[^<>]*+>")


def is_readme(name: bytes) -> bool:
    """Check whether a path is that of a README, in any language."""
    return _README.fullmatch(name.rpartition(b"/")[2]) is not None


def words_of(name: bytes, data: bytes) -> Words:
    """Return what a README says, or the first lines of another file."""
    text = data.decode("utf-8-sig", "replace")
    if not is_readme(name):
        lines = "\n".join(text.split("\n", _HEAD_LINES)[:_HEAD_LINES])
        return Words(_urls(lines))
    match = _HEADING.search(text)
    marked = "" if match is None else _LINK.sub(r"\1", match["mark"] or match["html"])
    heading = _CONTROL.sub("", plain_text(unescape(_TAG.sub("", marked)).strip("# \r")))
    said = "".join(filter(str.isprintable, heading))
    if is_bare(said) or is_generic_name(said):
        return Words(_urls(text))
    unseen = "".join(set(heading).difference(said))  # such as joiners, which words may have inside
    return Words(_urls(text), heading[:_MAX_TITLE].strip(f" {unseen}"))


def _urls(text: str) -> frozenset[str]:
    return frozenset(f"https://{_usual(match['place'])}" for match in _PROBLEM.finditer(text))


def _usual(place: str) -> str:
    host, slash, path = place.partition("/")
    place = host.lower() + slash + path
    for pattern, form in _FORMS:
        place = pattern.sub(form, place)
    return place


def _key(url: str) -> str:
    """Return the text that all URLs of one problem have in common."""
    match = _PROBLEM.match(url)
    place = url if match is None else _usual(match["place"]).lower()
    return place.replace("leetcode.cn/", "leetcode.com/", 1)


def with_own_links(
    entries: Iterable[ListedFile], words: Mapping[bytes, Words], warnings: Warnings
) -> Iterator[ListedFile]:
    """Yield the files with the links that their own words name; warn where a link is replaced."""
    folders: defaultdict[bytes, list[ListedFile]] = defaultdict(list)
    listed = list(entries)
    for entry in listed:
        folders[entry.name.rpartition(b"/")[0]].append(entry)
    readmes: defaultdict[bytes, list[Words]] = defaultdict(list)
    for name, said in words.items():
        parent = name.rpartition(b"/")[0]
        if is_readme(name) and len({entry.title for entry in folders.get(parent, ())}) == 1:
            readmes[parent].append(said)
    for entry in listed:
        beside = readmes.get(entry.name.rpartition(b"/")[0], [])
        urls = words.get(entry.name, Words()).urls.union(*(said.urls for said in beside))
        own = max(urls, default="")  # leetcode.com rather than leetcode.cn
        is_one = len(set(map(_key, urls))) == 1
        if not is_one or (entry.url is not None and _key(entry.url) == _key(own)):
            yield entry
            continue
        if entry.url is not None:
            warnings.add("link.replaced", entry.path.split("/"))
        title = next((said.heading for said in beside if said.heading), entry.title)
        yield entry._replace(url=own, title=title)
