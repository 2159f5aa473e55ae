"""The conformance suite on the reference service, in this process with a virtual clock."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
from devicestatus.conformance.deployment import svg_texts

import devicestatus.adapters
from devicestatus import Settings
from devicestatus.adapters import asgi
from devicestatus.adapters.memory import MemoryStore
from purewire.adapters.conformance import InAsgi, VirtualClock, load_suite
from purewire.conformance.checks import Action, Arguments, CheckFailed, NotTestable, Reply, Send
from purewire.conformance.run import ExitCode, Outcome, Perform, SuiteReport, run_suite, select
from purewire.instants import format_instant, parse_millisecond
from purewire.json import codec

SUITE = load_suite("devicestatus")

TOKEN = "0123456789abcdef0123456789abcdef"
START = 1_790_000_000_000
ICONS = Path(devicestatus.adapters.__file__).parent / "app_icons"
EVERYTHING = Arguments(has_token=True, write=True, slow=True)


def asgi_transport(
    token: str = TOKEN, store: MemoryStore | None = None, assets: Path | None = ICONS
) -> InAsgi:
    clock = VirtualClock(START)
    store = MemoryStore() if store is None else store
    app = asgi.create_app(Settings(token), store=store, assets=assets, clock=clock)
    return InAsgi(clock, token=TOKEN, application=app)


def report_of(perform: Perform, arguments: Arguments = EVERYTHING) -> SuiteReport:
    return run_suite(SUITE, SUITE.checks, perform, arguments, url="http://testserver")


@cache
def healthy_report() -> SuiteReport:
    return report_of(asgi_transport())


class TestHealthyService:
    def test_every_check_passes_and_none_is_skipped(self) -> None:
        report = healthy_report()
        others = [
            (result.check.id, result.reason, result.expected, result.actual)
            for result in report.results
            if result.outcome is not Outcome.PASSED
        ]
        assert not others
        assert report.exit_code(strict=True) == ExitCode.CONFORMS

    @pytest.mark.parametrize(
        ("profile", "absent"),
        [
            pytest.param("snapshot", ["/api/batch"], marks=pytest.mark.check),
            ("window", ["/api/update", "/update"]),
        ],
    )
    def test_a_part_of_the_contract_is_green_alone(self, profile: str, absent: list[str]) -> None:
        transport = asgi_transport()

        def without(action: Action) -> object:
            assert not isinstance(action, Send) or action.path not in absent
            return transport(action)

        report = report_of(without, attrs.evolve(EVERYTHING, profile=profile))
        assert {each.outcome for each in report.results if not each.is_outside} == {Outcome.PASSED}
        assert report.exit_code(strict=True) == ExitCode.CONFORMS
        assert {"DS-TOKEN-02", "DS-HTTP-12", "DS-BODY-03"} <= {rule.id for rule in report.rules}
        outside = {each.check.id for each in report.results if each.is_outside}
        skipped = {name for name in outside if name.startswith("json.rejects")}
        assert all("nesting" in name for name in skipped)  # larger than a snapshot may be

    def test_without_write_nothing_is_written(self) -> None:
        store = MemoryStore()
        report = report_of(asgi_transport(store=store), Arguments(has_token=True))
        assert report.count(Outcome.SKIPPED) > 100
        assert report.count(Outcome.FAILED) == 0
        assert report.exit_code() == ExitCode.CONFORMS
        assert report.exit_code(strict=True) == ExitCode.UNVERIFIED
        assert store.get("now") is None

    @pytest.mark.uncounted
    def test_the_last_record_reports_nothing(self) -> None:
        report = healthy_report()
        assert "snapshot that reports nothing" in report.notes[0]


class TestLearn:
    def test_a_wrong_token_is_not_tested(self) -> None:
        with pytest.raises(NotTestable, match="the token is wrong"):
            report_of(asgi_transport("x" * 40))


Change = Callable[[Send, Reply], Reply]


def changed(change: Change, assets: Path | None = ICONS) -> Perform:
    """Return the transport of a healthy service whose responses are changed on the way."""
    transport = asgi_transport(assets=assets)

    def perform(effect: Action) -> object:
        result = transport(effect)
        if isinstance(effect, Send) and isinstance(result, Reply):
            return change(effect, result)
        return result

    return perform


def with_header(name: str, value: str | None) -> Change:
    def change(_: Send, reply: Reply) -> Reply:
        lines = tuple(line for line in reply.headers if line[0].lower() != name)
        return attrs.evolve(reply, headers=lines if value is None else (*lines, (name, value)))

    return change


def outcomes(perform: Perform, *only: str, arguments: Arguments = EVERYTHING) -> set[Outcome]:
    report = run_suite(
        SUITE, select(SUITE.checks, only), perform, arguments, url="http://testserver"
    )
    return {result.outcome for result in report.results}


class TestClock:
    """The deployment's clock, from its Date header and from the receive time of a write."""

    READ_ONLY = Arguments()

    def test_a_date_gives_the_clock_to_a_second(self) -> None:
        perform = changed(with_header("date", "Mon, 21 Sep 2026 14:13:20 GMT"))
        assert outcomes(perform, "health", arguments=self.READ_ONLY) == {Outcome.PASSED}

    def test_a_date_of_another_time_sets_the_clock(self) -> None:
        hours_ahead = changed(with_header("date", "Mon, 21 Sep 2026 18:13:20 GMT"))
        report = run_suite(
            SUITE,
            select(SUITE.checks, ["snapshot.accepts-a-complete-snapshot"]),
            hours_ahead,
            EVERYTHING,
            url="http://testserver",
        )
        assert [result.outcome for result in report.results] == [Outcome.FAILED]

    def test_a_date_that_is_none_is_not_tested(self) -> None:
        with pytest.raises(NotTestable, match="is not an HTTP date"):
            report_of(changed(with_header("date", "today")), self.READ_ONLY)

    def test_an_uncertain_clock_decides_nothing_that_needs_it(self) -> None:
        def slow(request: Send, reply: Reply) -> Reply:
            late = reply.received_at + 300_000
            return attrs.evolve(reply, received_at=late) if request.path == "/api/update" else reply

        assert outcomes(changed(slow), "projection.gap") == {Outcome.INCONCLUSIVE}


class TestFailures:
    """Responses that no check may take for a pass."""

    def test_what_is_no_device_status_service_is_not_tested(self) -> None:
        def other(_: Send, reply: Reply) -> Reply:
            return attrs.evolve(reply, status=404)

        with pytest.raises(NotTestable, match="/api/health has status 404"):
            report_of(changed(other))

    def test_a_store_that_never_shows_a_write_fails(self) -> None:
        def stale(request: Send, reply: Reply) -> Reply:
            body = b'{"status":"offline"}'
            return attrs.evolve(reply, body=body) if request.path == "/api/now" else reply

        assert outcomes(changed(stale), "update.overwrites") == {Outcome.FAILED}

    def test_an_unavailable_service_fails(self) -> None:
        def unavailable(request: Send, reply: Reply) -> Reply:
            return attrs.evolve(reply, status=503) if request.path != "/api/health" else reply

        assert Outcome.PASSED not in outcomes(
            changed(unavailable), "update.overwrites", "projection.gap"
        )

    def test_a_status_whose_server_time_is_no_timestamp_fails(self) -> None:
        def broken(request: Send, reply: Reply) -> Reply:
            is_online = request.path == "/api/timeline" and "server_time" in reply.object()
            body = codec.encode({**reply.object(), "server_time": "now"})
            return attrs.evolve(reply, body=body) if is_online else reply

        assert outcomes(changed(broken), "shape.online-api-timeline") == {Outcome.FAILED}

    def test_a_badge_that_is_no_xml_fails(self) -> None:
        def broken(request: Send, reply: Reply) -> Reply:
            return attrs.evolve(reply, body=b"<svg") if "badge" in request.path else reply

        assert outcomes(changed(broken), "badge.svg") == {Outcome.FAILED}

    def test_a_status_that_is_online_is_checked_whole(self) -> None:
        perform = changed(lambda _, reply: reply)
        shapes = ("shape.online-api-now", "shape.api-timeline", "shape.online-api-device")
        assert outcomes(perform, *shapes) == {Outcome.PASSED}


class TestWithoutIcons:
    def test_checks_of_icons_are_skipped_where_the_manifest_is_empty(self, tmp_path: Path) -> None:
        tmp_path.joinpath("index.json").write_text('{"version":1,"icons":[]}')
        perform = changed(lambda _, reply: reply, assets=tmp_path)
        assert outcomes(perform, "icons.images", "apps.with-icons") == {Outcome.SKIPPED}

    def test_conditions_are_skipped_where_there_are_no_validators(self) -> None:
        for name, check in (
            ("etag", "icons.conditional"),
            ("last-modified", "icons.modified-since"),
        ):
            assert outcomes(changed(with_header(name, None)), check) == {Outcome.SKIPPED}


class TestBadgeText:
    """What an SVG shows does not depend on how its text is escaped."""

    @pytest.mark.parametrize(
        "text",
        ["A &amp; B &lt;1&gt;", "A &#38; B &#60;1&#x3e;", "<tspan>A &amp; B</tspan> &lt;1>"],
    )
    def test_escapes_are_resolved(self, text: str) -> None:
        body = f'<svg xmlns="http://www.w3.org/2000/svg"><text>{text}</text></svg>'
        assert "A & B <1>" in svg_texts(Reply(200, (), body.encode()))

    @pytest.mark.parametrize(
        ("body", "found"),
        [
            ("<svg", "unclosed token"),
            ("<svg/>", "root element svg"),
            ('<!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg"/>', "<!DOCTYPE svg>"),
        ],
    )
    def test_what_is_not_svg_fails(self, body: str, found: str) -> None:
        with pytest.raises(CheckFailed, match=re.escape(found)):
            svg_texts(Reply(200, (), body.encode()))


class TestSlowness:
    """Stores and responses that come late decide nothing, or are waited for."""

    def test_a_run_does_not_wait_for_the_store_for_ever(self) -> None:
        first: list[bytes] = []

        def stale(request: Send, reply: Reply) -> Reply:
            if request.path != "/api/now" or reply.object() == {"status": "offline"}:
                return reply
            first.append(reply.body)
            return attrs.evolve(reply, body=first[0])

        shown = [check.id for check in SUITE.checks if "snapshot.accepts" in check.id]
        assert outcomes(changed(stale), *shown) >= {Outcome.FAILED, Outcome.INCONCLUSIVE}

    def test_windows_that_come_late_decide_nothing_to_the_millisecond(self) -> None:
        transport = asgi_transport()

        def late(effect: Action) -> object:
            result = transport(effect)
            if isinstance(effect, Send) and effect.path == "/api/batch":
                transport.clock.now += 3_000
            return result

        checks = ("projection.instant", "projection.gap-ends")
        assert outcomes(late, *checks) == {Outcome.INCONCLUSIVE}

    def test_a_store_that_caches_reads_decides_nothing_to_the_millisecond(self) -> None:
        from support.devicestatus.broken_servers import base  # noqa: PLC0415 - it runs servers

        clock = VirtualClock(START)
        app = base.healthy(clock, base.BoundedCache(clock, 5_000))
        transport = InAsgi(clock, token=TOKEN, application=app)
        checks = ("update.overwrites", "projection.gap-ends")
        assert outcomes(transport, *checks) == {Outcome.PASSED, Outcome.INCONCLUSIVE}


class TestLenience:
    def test_a_deployment_with_a_broken_health_check_is_tested(self) -> None:
        def text(request: Send, reply: Reply) -> Reply:
            return attrs.evolve(reply, body=b"OK") if request.path == "/api/health" else reply

        assert outcomes(changed(text), "health") == {Outcome.FAILED}

    def test_icons_may_be_compressed(self) -> None:
        def compressed(request: Send, reply: Reply) -> Reply:
            if not any(name == "Accept-Encoding" for name, _ in request.headers):
                return reply
            lines = (*reply.headers, ("content-encoding", "gzip"))
            return attrs.evolve(reply, headers=lines, body=b"x")

        assert outcomes(changed(compressed), "icons.compressed") == {Outcome.PASSED}


class TestScorePage:
    def test_the_page_lists_the_broken_servers(self) -> None:
        import conformance_score  # noqa: PLC0415 - it runs servers

        assert conformance_score.PAGE.read_text("utf-8") == conformance_score.page()


class Alter:
    """Responses of servers with one fault each."""

    @staticmethod
    def members(path: str, **members: object) -> Change:
        """Replace members of the JSON bodies of a path."""

        def change(request: Send, reply: Reply) -> Reply:
            if request.path != path or reply.status != 200:
                return reply
            return attrs.evolve(reply, body=codec.encode(reply.object() | members))

        return change

    @staticmethod
    def status(old: int, new: int) -> Change:
        def change(_: Send, reply: Reply) -> Reply:
            return attrs.evolve(reply, status=new) if reply.status == old else reply

        return change

    @staticmethod
    def text(path: str, old: bytes, new: bytes) -> Change:
        def change(request: Send, reply: Reply) -> Reply:
            if not re.fullmatch(path, request.path):
                return reply
            return attrs.evolve(reply, body=re.sub(old, new, reply.body))

        return change

    @staticmethod
    def quoted(request: Send, reply: Reply) -> Reply:
        body = codec.encode({"error": request.path + str(request.body)})
        return reply if reply.status == 200 else attrs.evolve(reply, body=body)

    @staticmethod
    def large(request: Send, reply: Reply) -> Reply:
        too_large = len(request.body or b"") > 500_000
        return attrs.evolve(reply, status=413) if too_large else reply

    @staticmethod
    def empty_coding(request: Send, reply: Reply) -> Reply:
        return (
            attrs.evolve(reply, status=415)
            if "Content-Encoding" in dict(request.headers)
            else reply
        )

    @staticmethod
    def first_deadline() -> Change:
        first: list[object] = []

        def change(request: Send, reply: Reply) -> Reply:
            if request.method != "POST":
                return reply
            first.append(reply.object()["expires_at"])
            return Alter.members("/api/update", expires_at=first[0])(request, reply)

        return change

    @staticmethod
    def count_reads() -> Change:
        reads: list[str] = []

        def change(request: Send, reply: Reply) -> Reply:
            reads.append(request.path)
            count = reads.count("/api/badge.svg")
            return Alter.members("/api/now", active_app=f"Read {count}")(request, reply)

        return change

    @staticmethod
    def credentials(request: Send, reply: Reply) -> Reply:
        is_known = request.path == "/api/health" and "Authorization" in dict(request.headers)
        return attrs.evolve(reply, body=b"{}") if is_known else reply

    @staticmethod
    def images_without(name: str) -> Change:
        def change(request: Send, reply: Reply) -> Reply:
            is_image = request.path.startswith("/api/icons/")
            return with_header(name, None)(request, reply) if is_image else reply

        return change


FAULTS: Final[dict[str, Change]] = {
    "snapshot.wrong-members": Alter.status(400, 422),
    "members.versions": Alter.status(400, 200),
    "members.largest-text": Alter.large,
    "errors.quote-nothing": Alter.quoted,
    "body.length-form": Alter.status(413, 200),
    "body.media-type-repeated": Alter.status(415, 200),
    "body.coding-empty": Alter.empty_coding,
    "update.overwrites": Alter.first_deadline(),
    "reads.change-nothing": Alter.count_reads(),
    "reads.health-is-independent": Alter.credentials,
    "categories.times": Alter.members("/api/device", collected_at="2026-01-01T00:00:00.000Z"),
    "icons.no-search": Alter.members("/api/icons?page=2&limit=1", icons=[]),
    "icons.members": Alter.text("/api/icons", b"installed-app", b"other"),
    "icons.id-case": Alter.status(404, 200),
    "icons.validators": Alter.images_without("etag"),
    "badge.label": Alter.text("/api/badge.svg", b"device-status", b"another"),
    "badge.width": Alter.text("/api/badge.svg", b' width="[0-9]+"', b' width="200"'),
}


class TestFaults:
    """Checks of single rules notice a server that breaks them."""

    @pytest.mark.parametrize("check", FAULTS)
    def test_a_fault_is_noticed(self, check: str) -> None:
        assert outcomes(changed(FAULTS[check]), check) == {Outcome.FAILED}

    def test_values_that_are_rejected_only_together_are_noticed(self) -> None:
        def few(request: Send, reply: Reply) -> Reply:
            is_many = request.path == "/api/batch" and (request.body or b"").count(b'"seq"') > 1
            return attrs.evolve(reply, status=400) if is_many else reply

        checks = ("window.accepts-values-of-snapshots",)
        assert outcomes(changed(few), *checks) == {Outcome.FAILED}

    def test_a_value_that_is_rejected_is_named(self) -> None:
        def without_nulls(request: Send, reply: Reply) -> Reply:
            is_null = b'"active_app":null' in (request.body or b"")
            return attrs.evolve(reply, status=400) if is_null else reply

        checks = select(SUITE.checks, ["snapshot.valid-values"])
        perform = changed(without_nulls)
        report = run_suite(SUITE, checks, perform, EVERYTHING, url="http://testserver")
        assert report.results[0].expected.endswith("for /active_app null")

    def test_a_moment_between_touching_gaps_is_noticed(self) -> None:
        healthy = asgi_transport()

        def perform(effect: Action) -> object:
            if isinstance(effect, Send) and effect.path == "/api/batch" and effect.body:
                body: Any = codec.decode(effect.body)
                first = body["gaps"][0]
                first["end_at"] = format_instant(parse_millisecond(first["end_at"]) - 1)
                effect = attrs.evolve(effect, body=codec.encode(body))
            return healthy(effect)

        assert outcomes(perform, "projection.touching-gaps") == {Outcome.FAILED}

    def test_an_expiry_that_includes_its_deadline_is_noticed(self) -> None:
        transport = asgi_transport()

        def perform(effect: Action) -> object:
            is_read = isinstance(effect, Send) and effect.method == "GET"
            transport.clock.now -= is_read
            result = transport(effect)
            transport.clock.now += is_read
            return result

        names = ("expiry.snapshot", "expiry.projection", "expiry.window")
        assert outcomes(perform, *names) == {Outcome.FAILED}


class TestUndecided:
    """Deployments that are unusual and allowed."""

    def test_an_id_without_letters_has_no_other_case(self, tmp_path: Path) -> None:
        icon = (
            b'{"id":"7","app":"Seven","aliases":["7"],"imageUrl":"/api/icons/7.png",'
            b'"source":"installed-app","credit":"c","sourceUrl":null}'
        )
        tmp_path.joinpath("index.json").write_bytes(b'{"version":1,"icons":[%b]}' % icon)
        perform = changed(lambda _, reply: reply, assets=tmp_path)
        assert outcomes(perform, "icons.id-case") == {Outcome.SKIPPED}

    def test_assets_may_have_one_validator_only(self) -> None:
        assert outcomes(changed(with_header("etag", None)), "icons.validators") == {Outcome.PASSED}

    @pytest.mark.parametrize(
        "body",
        [
            b'<svg xmlns="http://www.w3.org/2000/svg" width="wide"/>',
            b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0"/>',
            b"<svg",
        ],
    )
    def test_a_width_that_is_no_number_decides_nothing(self, body: bytes) -> None:
        def other(request: Send, reply: Reply) -> Reply:
            return attrs.evolve(reply, body=body) if "badge" in request.path else reply

        assert outcomes(changed(other), "badge.width") == {Outcome.INCONCLUSIVE}
