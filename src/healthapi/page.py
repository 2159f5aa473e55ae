"""The pages of health data: served beside the API, or written as a static site.

Beside the API, `/` is the page of the only profile, or the list of several, and `/{profile_id}/`
the page of one.  The paths of the API start with `/api/`, which is the page of a profile of that
name; all longer paths are the service's.

The page of a profile shows two resources of the API: `dashboard` and `series/daily`.  The document
has their bodies, and what `views.usual_ranges` says about them; without JavaScript it shows the
latest values as a table.  Documents of a static site, which also work where the browser reads no
files (from `file://`), name each other and the files beside them by relative URLs.

Invariant *public data only*: the pages contain what responses of the API contain, and statistics
of these numbers; nothing else.
Invariant *no markup from data*: texts of a response are escaped; data in the document are JSON
without `<`, `>` and `&`.
Invariant *order of checks*: those of the router, then the profile (404) and its data (503).
Invariant *complete or nothing*: all is read and drawn before the first file is returned.
Invariant *one state*: the files of a profile come from one state of it.
"""

import re
from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import product
from typing import Any, Final

import attrs

from healthapi import limits, resources
from healthapi.chart_lines import LINE_COLORS, STAGE_COLORS, format_value, format_with_unit
from healthapi.derived.cards import ONE_PART, recent_values
from healthapi.endpoints import KEYS, ROOT, Query
from healthapi.envelope import Links
from healthapi.keys import CARD_METRICS, CHARTS, METRICS, SHOWN, Metric
from healthapi.manual import ICON
from healthapi.profile import Profile, ProfileSummary
from healthapi.service import Service, read_summaries
from healthapi.views.usual_ranges import build_view, with_exact_sleep
from status_contracts.adapters.page_files import read_parts
from status_contracts.days import parse_day
from status_contracts.endpoints import Params, Router, page_route
from status_contracts.exchange import Effect, EffectFailed, Exchange, ReadSource
from status_contracts.json_text import encode
from status_contracts.messages import Request, redirect_response
from status_contracts.pages.blocks import Notice, notice_html
from status_contracts.pages.page import DATA_COLORS, SIMPLE_CONTENT, Page, build_page
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.svg.labels import format_day
from status_contracts.svg.palette import PAPERS

_SHOWN: Final = {
    "dashboard": Query(),
    "series": Query("daily", limit=372, metrics=(*CARD_METRICS, "minutes_asleep")),
}
"""The resources on the page of a profile; the points are of a year and the days before it that its
first means need."""
_PARTS: Final = ("days", "text", "charts", "table", "parts", "trends", "health")
_TITLE: Final = "Health"
GENERATOR: Final = "status-contracts: healthapi page"
"""Content of the documents' `generator`, by which files of a site are recognized."""
_TONE_RULES: Final = "".join(
    f".tone-{metric} {{ --tone: var(--data-{number}); }}\n"
    for number, metrics in enumerate((LINE_COLORS | STAGE_COLORS).values(), 1)
    for metric in metrics.split()
    if metric in {*CARD_METRICS, *STAGE_COLORS.values()}
)
"""The colours of metrics, which are those of charts."""
_UNITS: Final = sorted({metric.unit for metric in METRICS.values() if not metric.decimals})
_NAMES: Final = {key: {"label": one.label, "unit": one.unit} for key, one in METRICS.items()}
METRICS_SCRIPT: Final = (
    f"const WHOLE_UNITS = new Set({encode(_UNITS).decode()}),"
    f" METRICS = {encode(_NAMES).decode()};\n"
)
"""What the scripts know of metrics; the units are those without `Metric.decimals`."""
_ESCAPES: Final = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
_LIST: Final = '<h1 class="profile-name">People</h1><ul class="people">{}</ul>'
_DIAL: Final = (
    '<div class="dial {1}" aria-hidden="true"><svg viewBox="0 0 120 120">'
    '<circle class="all" cx="60" cy="60" r="54"/><circle class="part" cx="60" cy="60" r="54"'
    ' pathLength="100" stroke-dasharray="{0} 100" transform="rotate(-90 60 60)"/></svg>'
    '<p class="dial-text"><span class="value">{0}</span></p></div>'
)
_NO_PROFILE: Final = Notice(
    "empty", "There are no profiles yet", "They are listed here as soon as there are some."
)
_NO_DAYS: Final = Notice(
    "empty", "This profile has no days with data yet", "They appear here as soon as there are some."
)
_UNREADABLE: Final = Notice(
    "failed", "The data cannot be read at the moment", "Load the page again later."
)
_AWAITED: Final = "The data are being read; load the page again in some seconds"
_PEOPLE: Final = Link("All people", "../")
_UNKNOWN: Final = Notice(
    "missing", "There is no public profile here", "Look for it in the list.", _PEOPLE
)
_KEY: Final = attrs.evolve(KEYS["profile_id"], path_pattern=KEYS["profile_id"].pattern.pattern)
_CHART, _TALL, _DAYS = "series", 560, 90
"""The chart that a page shows without JavaScript, of all metrics, its height in px and its days."""
_WIDTH, _HEIGHT = limits.CHART_WIDTH.default or 0, limits.CHART_HEIGHT.default or 0
_NARROW: Final = limits.CHART_WIDTH.minimum  # px: its width on phones


def with_site(service: Service, settings: PageSettings | None) -> Router:
    """Return the handler of the service, and of the pages unless the settings are None."""
    if settings is None:
        return service.router
    pages = _Pages(settings)
    return service.router.with_routes(
        (
            page_route("/", pages.respond),
            page_route("/{profile_id}/", pages.respond, _KEY),
            page_route("/{profile_id}", pages.redirect, _KEY),
        )
    )


class _Pages:
    """The pages for the settings of an owner; their files are read once.

    The last page of each profile of a service is kept.
    """

    def __init__(self, settings: PageSettings) -> None:
        parts = read_parts(
            files("healthapi") / "page_files",
            "health",
            [f"{name}.js" for name in _PARTS],
            title=_TITLE,
            icon=ICON,
            skip_to="the data",
            description="Sleep, activity and recovery, as a wearable measured them.",
            meta={"generator": GENERATOR},
            style=DATA_COLORS + _TONE_RULES,
            script=METRICS_SCRIPT,
        )
        self._profile = build_page(parts, settings)
        people = (files("healthapi") / "page_files" / "people.css").read_text("utf-8")
        simple = attrs.evolve(parts, content=SIMPLE_CONTENT, style=parts.style + people, script="")
        self._list = build_page(simple, settings)
        self._owner = settings.name
        self._drawn: dict[str, tuple[object, Page]] = {}

    def profile(
        self,
        profile: Profile,
        bodies: Mapping[str, bytes],
        links: Mapping[str, str],
        charts: Sequence[str],
        people: str | None,
    ) -> Page:
        """Build the page of a profile.

        `bodies` are those of responses by resource, `links` URLs by label.  `charts` are the URLs
        of the chart that is shown without JavaScript, on phones and in a wide window; `people` is
        the URL of the list, or None if the profile is the only one.
        """
        person = profile.person
        view = build_view(profile.daily, profile.goals, profile.partial_periods)
        is_obvious = people is None and (self._owner or person.display_name == profile.id)
        name = "" if is_obvious else person.display_name
        titled = self._profile.titled(name) if name else self._profile
        return titled.filled(
            {
                "heading": _heading(name, people),
                "notice": notice_html(None if view else _NO_DAYS),
                "plain": _plain(profile, view, charts),
                "links": _links(links),
                "data": "".join(
                    f'<script type="application/json" id="{name}">'
                    f"{body.decode().translate(_ESCAPES)}</script>"
                    for name, body in {"view": encode(view), **bodies}.items()
                ),
            }
        )

    def error(self, notice: Notice) -> Page:
        """Build the page of a profile that does not exist or cannot be read."""
        shown = {"heading": _heading("", None), "notice": notice_html(notice)}
        return self._profile.filled({**shown, "plain": "", "links": "", "data": ""})

    def people(
        self, summaries: Iterable[ProfileSummary], links: Mapping[str, str], document: str = ""
    ) -> Page:
        """Build the list; `document` is the name of the document of a profile in its folder."""
        ordered = sorted(summaries, key=resources.place_in_list)
        names = Counter(summary.display_name or summary.id for summary in ordered)
        items = "".join(_person(summary, document, names) for summary in ordered)
        content = _LIST.format(items) if items else notice_html(_NO_PROFILE)
        return self._list.filled({"main": content, "footer": _links(links)})

    def respond(self, request: Request, params: Params) -> Exchange:
        """Respond with the page of a profile; without an id, of the only one or with the list."""
        try:
            page = yield from self._page(params.get("profile_id"))
        except EffectFailed:
            notice = attrs.evolve(_UNREADABLE, link=_PEOPLE if params else None)
            return self.error(notice).respond_once(request, 503)
        return page.respond(request) if page else self.error(_UNKNOWN).respond_once(request, 404)

    def redirect(self, _request: Request, params: Params) -> Exchange:
        """Redirect to the page of a profile, whose links need the slash at its end."""
        yield from ()
        return redirect_response(f"{params['profile_id']}/")

    def _page(self, profile_id: str | None) -> Generator[Effect, Any, Page | None]:
        listed = yield from ReadSource(None)
        up = "" if profile_id is None else "../"
        api = f"{up}{ROOT[1:]}"
        documents = {"API": f"{api}/docs"}
        if profile_id is None:
            summaries = yield from read_summaries(listed)
            if len(summaries) != 1:
                return self.people(summaries, {"JSON": f"{api}/profiles", **documents})
            profile_id = summaries[0].id
        profile: Profile | None = yield from ReadSource(profile_id)
        if profile is None:
            return None
        people = up if up and len(listed) > 1 else None
        state = profile, people, api
        last, page = self._drawn.get(profile_id, (None, None))
        if page is None or last != state:
            links = {"JSON": f"{api}/profiles/{profile_id}", **documents}
            chart = f"{links['JSON']}/charts/{_CHART}.svg?height={_TALL}&limit={_DAYS}"
            charts = [f"{chart}&theme=transparent&width={_NARROW}", f"{chart}&theme=transparent"]
            page = self.profile(profile, _bodies(profile), links, charts, people)
            self._drawn[profile_id] = state, page
        return page


def build_site(profiles: Sequence[Profile], settings: PageSettings) -> Mapping[str, bytes]:
    """Return the files of the site by path, documents last.

    One profile is written to the top, several to a folder each.
    """
    pages = _Pages(settings)
    data: dict[str, bytes] = {}
    documents: dict[str, bytes] = {}
    is_one = len(profiles) == 1
    for profile in profiles:
        folder = "" if is_one else f"{profile.id}/"
        bodies = _bodies(profile)
        data[f"{folder}dashboard.json"] = bodies["dashboard"]
        data[f"{folder}series-daily.json"] = bodies["series"]
        for theme, chart in product(PAPERS, [name for name in CHARTS if name != "series"]):
            end = "" if theme == "light" else f"-{theme}"
            query = Query(key=chart, width=_WIDTH, height=_HEIGHT, theme=theme)
            data[f"{folder}{chart}{end}.svg"] = resources.chart(profile, query)[0]
        links = {"JSON": "dashboard.json", "Series": "series-daily.json"}
        charts = [f"{_CHART}-narrow.svg", f"{_CHART}.svg"]
        for name, width in zip(charts, (_NARROW, _WIDTH), strict=True):
            query = Query(key=_CHART, width=width, height=_TALL, limit=_DAYS, theme="transparent")
            data[f"{folder}{name}"] = resources.chart(profile, query)[0]
        page = pages.profile(profile, bodies, links, charts, None if is_one else "../index.html")
        documents[f"{folder}index.html"] = page.as_file()
    if not is_one:
        summaries = [profile.summary for profile in profiles]
        documents["index.html"] = pages.people(summaries, {}, "index.html").as_file()
    return data | documents


def _bodies(profile: Profile) -> dict[str, bytes]:
    return {
        name: resources.prepare(profile, name, query, Links("")).asset.body
        for name, query in _SHOWN.items()
    }


def _heading(name: str, people: str | None) -> str:
    """Return the heading: the person, unless the header of the page already says whose it is."""
    if not name:
        return f'<h1 class="visually-hidden">{_TITLE}</h1>'
    link = "" if people is None else f'<a class="on-screen" href="{escape(people)}">All people</a>'
    return f'<div class="profile-head"><h1 class="profile-name">{escape(name)}</h1>{link}</div>'


def _links(links: Mapping[str, str]) -> str:
    listed = (f'<a href="{escape(url)}">{escape(label)}</a>' for label, url in links.items())
    return f'<span class="on-screen">{" · ".join(listed)}</span>'


def _plain(profile: Profile, view: Mapping[str, Any], charts: Sequence[str]) -> str:
    """Return what the page shows without JavaScript."""
    overview, recovery = profile.overview, ""
    last_day, score = overview.latest_date, overview.recovery_score
    if last_day is None:
        return ""
    if score is not None:
        parts = [f"{name.lower()} {n}{of and f' ({of})'}" for name, n, of in view["parts"]]
        about = f"{view['caveats']} Parts: {', '.join(parts)}.</p><p class='note'>{view['score']}"
        word = f": {overview.recovery_label}" if parts[1:] else ""
        recovery = f" Recovery {score} of 100{word}.{about}"
    daily = with_exact_sleep(profile.daily)
    rows = "".join(
        _row(attrs.evolve(SHOWN[key], decimals=decimals), day, value, last_day, view)
        for key, decimals in view["decimals"].items()
        for day, value in recent_values(daily, key, 1)
    )
    table = (
        "<table><caption>Latest values</caption>"
        '<thead><tr><th scope="col">Metric</th><th scope="col" class="number">Value</th>'
        f'<th scope="col" class="number">Usual range</th></tr></thead><tbody>{rows}</tbody></table>'
    )
    narrow, chart = map(escape, charts)
    return (
        f'<noscript><section class="card"><p class="sentence">{view["sentence"]["then"]}</p>'
        f"<p>Data to {format_day(parse_day(last_day))}.{recovery}</p>"
        f'{table if rows else ""}<p><picture><source srcset="{narrow}" width="{_NARROW}"'
        f' height="{_TALL}" media="(max-width: 37.5em)"><img src="{chart}" width="{_WIDTH}"'
        f' height="{_TALL}" alt="Trends of the metrics; the table has the latest values.">'
        "</picture></p></section></noscript>"
    )


def _person(summary: ProfileSummary, document: str, names: Counter[str]) -> str:
    url, score = f"{summary.id}/{document}", summary.recovery_score
    look = "alone" if summary.caveats else summary.recovery_label
    dial = "" if score is None else _DIAL.format(score, look)
    if summary.generated_at is None:
        detail = f"{_AWAITED if summary.is_awaited else _UNREADABLE.title}."
    elif summary.latest_date is None:
        detail = "No days with data yet."
    else:
        word = "" if summary.caveats.startswith(ONE_PART) else f": {summary.recovery_label}"
        recovery = f"Recovery {score} of 100{word}.{summary.caveats}\n"
        detail = f"{recovery if dial else ''}Data to {format_day(parse_day(summary.latest_date))}."
    said = re.sub("^As of [^,]+, ", "", summary.sentence)
    known = said and f'<p class="detail known">{escape(said[0].upper() + said[1:])}</p>'
    name = summary.display_name or summary.id
    shown = name if names[name] == 1 else f"{name} ({summary.id})"
    return (
        f'<li class="card">{dial}<div><a class="person" href="{escape(url)}">{escape(shown)}</a>'
        f'<p class="detail">{escape(detail)}</p></div>{known}</li>'
    )


def _row(metric: Metric, day: str, value: float, last_day: str, view: Mapping[str, Any]) -> str:
    """Return a row: the value, its day unless it is the last, the usual range and the side of it.

    What still grows on the last day is on no side.
    """
    usual, side = view["usual"].get(metric.key, ()), view["outside"].get(metric.key)
    when = ""
    if day != last_day:
        when = f" on {format_day(parse_day(day), has_year=day[:4] != last_day[:4])}"
    elif metric.key in view["unfinished"]:
        when, side = " so far", None
    mark = {None: "", "above": "▲ above ", "below": "▼ below "}[side]
    ends = " to ".join(format_value(metric, end) for end in usual)
    return (
        f'<tr><th scope="row">{metric.label}</th>'
        f'<td class="number">{format_with_unit(metric, value)}{when}</td>'
        f'<td class="number">{f"{mark}<span>{ends}</span>" if ends else "no usual range"}</td></tr>'
    )
