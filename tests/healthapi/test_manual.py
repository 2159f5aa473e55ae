"""The manual documents all endpoints and nothing else, as Markdown and as a page."""

import re
from urllib.parse import urljoin

import pytest

from healthapi import manual
from healthapi.endpoints import ENDPOINTS, ROOT, HealthEndpoint
from healthapi.errors import MESSAGE_OF, STATUS_OF
from healthapi.keys import CHARTS, DATASETS, DOMAINS, METRICS, SECTIONS, TABLES
from healthapi.schemas import schemas
from status_contracts.pages.blocks import markdown as to_markdown
from status_contracts.pages.settings import DEFAULT_PAGE, Link, PageSettings
from support.checks.xml_reading import read_xml
from support.healthapi.health_client import HealthClient

BASE_URL = "https://health.example/mount"
SCHEMAS = schemas().documents


def markdown_of(base_url: str | None) -> str:
    return to_markdown(manual.manual(base_url, SCHEMAS).document())


def page_of(base_url: str | None, page: PageSettings | None = DEFAULT_PAGE) -> str:
    reference = manual.manual(base_url, SCHEMAS)
    return manual.build_page(reference, base_url, page, ("", "")).body.decode()


@pytest.fixture(scope="module")
def markdown() -> str:
    return markdown_of(BASE_URL)


@pytest.fixture(scope="module")
def page() -> str:
    """Without the places at which paths may be broken, and their parts."""
    return re.sub("<wbr/>|</?i>", "", page_of(BASE_URL, None))


class TestNoSecondSource:
    """Invariant *no second source*."""

    @pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
    def test_each_endpoint_is_documented_completely(
        self, markdown: str, page: str, endpoint: HealthEndpoint
    ) -> None:
        path = f"GET {ROOT}{endpoint.path}"
        assert f"### `{path}`\n" in markdown
        assert f'<span class="method">GET</span> {path.removeprefix("GET ")}</code></h3>' in page
        part = markdown.partition(f"### `{path}`\n")[2].partition("\n#")[0]
        assert endpoint.title in part
        for key in endpoint.keys:
            assert re.search(rf"\| `{key.name}` \| .* \| {key.description} \|", part)
        for parameter in endpoint.parameters:
            row = next(row for row in part.split("\n") if row.startswith(f"| `{parameter.name}` |"))
            assert parameter.description in row
            if parameter.bounds is not None:
                assert f" {parameter.bounds.minimum}\u2013{parameter.bounds.maximum:,}" in row
                assert parameter.bounds.default is None or str(parameter.bounds.default) in row
        for code in endpoint.error_codes:
            assert f"`{code}`" in part

    def test_all_keys_and_errors_are_there(self, markdown: str) -> None:
        words = {*DATASETS, *SECTIONS, *TABLES, *DOMAINS, *METRICS}
        assert all(f"`{word}`" in markdown for word in words)
        assert all(f"| `{chart}.svg` |" in markdown for chart in CHARTS)
        for code, status in STATUS_OF.items():
            assert f"| `{code}` | {status} | {MESSAGE_OF[code]} |" in markdown


class TestMembers:
    """All members with their meaning, of each object once."""

    def test_objects_have_one_table_before_their_parts_to_which_others_lead(
        self, page: str
    ) -> None:
        tables = re.findall(r'<(?:caption|p|summary)><code id="type-(\w+)">\1</code>', page)
        assert len(set(tables)) == len(tables) == 38
        assert page.count("<tr>") - page.count("<thead>") <= 390
        for first, then in (("Index", "Links"), ("Profile", "Person"), ("Card", "Trend")):
            assert tables.index(first) < tables.index(then)
        for name, anchor in (("Card", "metrics"), ("Coverage", "coverage"), ("Person", "profile")):
            part = page.partition(f' id="{anchor}"')[2].partition('class="endpoint card"')[0]
            assert f'<code id="type-{name}">{name}</code>: ' in part
            assert f'<a href="#type-{name}">{name}</a>' in page.partition(' id="dashboard"')[2]

    def test_every_name_of_an_object_leads_to_the_object(self, page: str) -> None:
        links = re.findall(r'<a href="#([^"]+)">([A-Z]\w+)</a>', page.partition(' id="index"')[2])
        assert {anchor for anchor, name in links if anchor != f"type-{name}"} == {"errors"}
        names = {name for _, name in links}
        assert names >= {"Catalog", "Span", "DailyRow", "ActivityRow", "PeriodRow", "SectionCard"}
        assert not re.findall("<code>(?:" + "|".join(names - {"Errors"}) + ")</code>", page)

    def test_responses_have_data_and_meta_and_meanings_say_more_than_keys(self, page: str) -> None:
        rows = {"total": 4, "limit": 7, "rows": 2, "points": 2, "available_metrics": 1}
        assert {name: page.count(f'row"><code>{name}</code>') for name in rows} == rows
        assert "<code>chart_weekly</code> (string). URL of the resource" in page
        assert "<td>Steps.</td>" in page, "a unit that the name says is not repeated"
        assert ">StatusCounts</code>: <code>ready</code>, " in page
        cards = 'array of <a href="#type-Card">Card</a>. The metric cards.'
        assert f"<p><code>data.metrics</code>: {cards}</p>" in page
        assert '<p><code>data</code>: <a href="#type-Catalog">Catalog</a>.</p>' in page
        assert page.count("<code>meta.count</code>") == 1, "the envelope says what it is"
        assert "if left out, all (at most 36,525)" in page
        assert "an ISO week <code>2026-W05</code>" in page
        assert not re.search(r"<td>Its (key|URL|links)|its members|Most points\.", page)

    def test_unit_limit_and_null_are_there(self, page: str) -> None:
        row = "<code>rhr</code></th><td>integer, or null</td><td>Resting heart rate (bpm).</td>"
        assert row in page
        keys = "<code>good</code>, <code>stable</code>, <code>watch</code>, <code>rest</code>"
        assert f"{keys}, <code>waiting_for_data</code></td><td><code>good</code> from 80, " in page
        assert '<a href="#all-keys">25 more</a>' in page
        assert "<title>Health data API</title>" in page
        assert "<td></td></tr>" not in page.partition('<h2 id="keys"')[0]


class TestBothForms:
    def test_anchors_are_there_once_and_every_inner_link_finds_one(self, page: str) -> None:
        anchors = re.findall(r' id="([^"]+)"', page)
        assert len(set(anchors)) == len(anchors)
        assert set(re.findall(r'href="#([^"]+)"', page)) <= set(anchors)
        assert all(re.fullmatch(r"[a-z0-9-]+|type-\w+", anchor) for anchor in anchors)

    def test_the_page_is_well_formed(self, page: str) -> None:
        body = page.partition("<body>")[2].partition("</body>")[0]
        names = {element.name for element in read_xml(f"<body>{body}</body>".encode())}
        assert not names & {"script", "link", "img", "iframe", "form", "object"}


class TestBase:
    def test_an_unknown_base_has_a_name_in_examples_only(self) -> None:
        text = markdown_of(None)
        assert 'curl "$BASE_URL/api/public/v1/profiles"' in text
        assert 'with `BASE_URL=https://…`:\n\n```sh\ncurl "$BASE_URL/api/public/v1"\n' in text
        assert "(openapi.json)" in text
        assert "BASE_URL" not in markdown_of(BASE_URL)

    def test_relative_links_lead_somewhere(self) -> None:
        client = HealthClient()
        found = re.findall(r'<a href="(?!https)([^"#]+)"', page_of(None, None))
        assert len(found) == 8
        for link in found:
            path = urljoin(f"{ROOT}/docs", link)
            assert client.send("GET", path).status == 200

    @pytest.mark.parametrize("base_url", [None, BASE_URL])
    def test_the_page_leads_to_the_health_page_where_there_is_one(
        self, base_url: str | None
    ) -> None:
        link = re.compile(r'<a href="([^"]+)">Health page</a>')
        found = link.findall(page_of(base_url))
        assert {urljoin(f"{BASE_URL}{ROOT}/docs", url) for url in found} == {f"{BASE_URL}/"}
        assert len(found) == 2
        assert not link.search(page_of(base_url, None))
        owned = page_of(base_url, PageSettings(pages=(Link("Now", "/"),)))
        assert len(link.findall(owned)) == 1


class TestExamples:
    def test_responses_name_the_profile_that_the_request_names(self, markdown: str) -> None:
        assert '"profile_id": "$PROFILE"' in markdown
        assert '"tables": [\n      "sleep", "activity", "recovery",' in markdown, "texts fill lines"
        assert "anna" not in markdown
        assert "](#" not in markdown

    def test_requests_of_the_examples_succeed(self, markdown: str) -> None:
        client = HealthClient()
        targets = re.findall(rf'"{BASE_URL}([^"]+)"', markdown)
        assert len(targets) == 2 + len(ENDPOINTS)
        for target in targets:
            path = target.replace("$PROFILE", "anna")
            assert client.send("GET", path).status == 200
