"""The entry points of pytest and Hypothesis, in runs of pytest of their own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import devicestatus.adapters
from devicestatus import Settings
from devicestatus.adapters import asgi
from devicestatus.adapters.memory import MemoryStore
from purewire.adapters.conformance import load_suite
from support.servers.servers import serve_asgi

SUITE = load_suite("devicestatus")

pytest_plugins = ["pytester"]

TOKEN = "0123456789abcdef0123456789abcdef"
ICONS = Path(devicestatus.adapters.__file__).parent / "app_icons"
BADGE = [check for check in SUITE.checks if "badge" in check.id]
APPLICATION = """
from pathlib import Path
import devicestatus.adapters
from devicestatus import Settings
from devicestatus.adapters import asgi, wsgi
from devicestatus.adapters.memory import MemoryStore
from devicestatus.testing.conformance import ServiceConformance

ICONS = Path(devicestatus.adapters.__file__).parent / "app_icons"
TOKEN = "0123456789abcdef0123456789abcdef"

def without_nosniff(app):
    async def wrapped(scope, receive, send):
        async def changed(message):
            if "headers" in message:
                lines = message["headers"]
                message["headers"] = [line for line in lines if b"nosniff" not in line]
            await send(message)
        await app(scope, receive, changed)
    return wrapped

class TestAsgi(ServiceConformance):
    token = TOKEN

    def make_app(self, clock):
        return asgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=ICONS, clock=clock)

class TestWsgi(ServiceConformance):
    token = TOKEN

    def make_app(self, clock):
        return wsgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=ICONS, clock=clock)
"""
BROKEN = """
class TestBroken(ServiceConformance):
    token = TOKEN
    interface = "asgi"

    def make_app(self, clock):
        app = asgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=ICONS, clock=clock)
        return without_nosniff(app)

class TestUnfinished(ServiceConformance):
    def test_headers_of_their_own(self):
        pass
"""


def healthy() -> Any:
    return asgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=ICONS)


def with_wrong_type(app: Any) -> Any:
    """Return an application that gives `/api/device` the media type of text."""

    async def wrapped(scope: Any, receive: Any, send: Any) -> None:
        async def changed(message: Any) -> None:
            if scope.get("path") == "/api/device" and "headers" in message:
                lines = [line for line in message["headers"] if line[0] != b"content-type"]
                message["headers"] = [*lines, (b"content-type", b"text/plain")]
            await send(message)

        await app(scope, receive, changed)

    return wrapped


@pytest.fixture(autouse=True)
def _environment(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set variables of the inner runs; `pytester` has removed the options of this one."""
    monkeypatch.delenv("INGEST_TOKEN", raising=False)
    monkeypatch.setenv("MY_TOKEN", TOKEN)
    # schemathesis takes 2 s to import
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:cacheprovider -p no:schemathesis")


@pytest.fixture
def url() -> Iterator[str]:
    with serve_asgi(healthy()) as base_url:
        yield base_url


class TestDeployment:
    """Checks of a URL."""

    def test_checks_are_selected_as_tests_are(self, pytester: pytest.Pytester, url: str) -> None:
        pytester.makepyfile("def test_of_their_own(): pass")
        ended = pytester.runpytest_inprocess(f"--devicestatus-url={url}", "-k", "badge", "-rs")
        passed = sum(not check.writes for check in BADGE)
        skipped = len(BADGE) - passed
        assert passed
        assert skipped
        deselected = len(SUITE.checks) - len(BADGE) + 1
        ended.assert_outcomes(passed=passed, skipped=skipped, deselected=deselected)
        ended.stdout.fnmatch_lines(
            [
                "*devicestatus conformance*",
                f"{len(BADGE)} checks of *: {passed} ok, {skipped} skipped",
                "* rules of level must verified",
                "SKIPPED*it replaces the present record: give --write",
            ]
        )

    def test_nothing_is_added_without_the_option(self, pytester: pytest.Pytester) -> None:
        ended = pytester.runpytest_inprocess("-m", "not conformance")
        assert ended.ret == pytest.ExitCode.NO_TESTS_COLLECTED

    def test_a_marker_selects_the_checks(self, pytester: pytest.Pytester, url: str) -> None:
        ended = pytester.runpytest_inprocess(f"--devicestatus-url={url}", "-m", "not conformance")
        ended.assert_outcomes(deselected=len(SUITE.checks))
        assert "rules of level must" not in ended.stdout.str()

    def test_a_failure_has_rule_expectation_response_and_command(
        self, pytester: pytest.Pytester
    ) -> None:
        with serve_asgi(with_wrong_type(healthy())) as base_url:
            chosen = ("-k", "shape and not online")
            ended = pytester.runpytest_inprocess(f"--devicestatus-url={base_url}", *chosen)
        ended.assert_outcomes(failed=1, passed=6, deselected=len(SUITE.checks) - 7)
        ended.stdout.fnmatch_lines(
            [
                "*DS-HTTP-08 (must): *",
                "*expected: *application/json; charset=utf-8*",
                "*got: *text/plain*",
                f"*curl *{base_url}/api/device*",
            ]
        )
        assert "Traceback" not in ended.stdout.str()

    def test_one_that_does_not_respond_fails_once(self, pytester: pytest.Pytester) -> None:
        ended = pytester.runpytest_inprocess("--devicestatus-url=http://127.0.0.1:9", "-k", "badge")
        deselected = len(SUITE.checks) - len(BADGE)
        ended.assert_outcomes(failed=1, skipped=len(BADGE) - 1, deselected=deselected)
        ended.stdout.fnmatch_lines(["the deployment cannot be tested: *refused*"])

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (
                ["--devicestatus-write"],
                "*--devicestatus-write needs the ingest token*INGEST_TOKEN*",
            ),
            (["-n2"], "*--devicestatus-url: run the checks without -n*"),
            (["--devicestatus-url=ftp://example"], "*'ftp://example' is not a URL*"),
        ],
    )
    def test_wrong_options_are_usage_errors(
        self, pytester: pytest.Pytester, options: list[str], message: str
    ) -> None:
        ended = pytester.runpytest_inprocess("--devicestatus-url=http://127.0.0.1:9", *options)
        assert ended.ret == pytest.ExitCode.USAGE_ERROR
        ended.stderr.fnmatch_lines([message])


class TestApplicationObject:
    """Checks in process, by inheritance."""

    def test_asgi_and_wsgi_are_told_apart(self, pytester: pytest.Pytester) -> None:
        pytester.makepyfile(APPLICATION)
        ended = pytester.runpytest_inprocess("-W", "error", "--assert=plain", "-k", "badge")
        passed = len(BADGE)
        ended.assert_outcomes(passed=2 * passed, deselected=2 * (len(SUITE.checks) - passed))

    def test_a_broken_one_fails_the_checks_of_its_rule(self, pytester: pytest.Pytester) -> None:
        pytester.makepyfile(APPLICATION.partition("class TestAsgi")[0] + BROKEN)
        ended = pytester.runpytest_inprocess("-k", "headers")
        assert {"failed", "passed"} <= ended.parseoutcomes().keys()
        ended.stdout.fnmatch_lines(["*X-Content-Type-Options*nosniff*"])
        ended.stdout.fnmatch_lines(["*TestUnfinished must define make_app(clock)*"])


@pytest.mark.check
class TestWholeSuites:
    """All checks; only `make check` runs these."""

    def test_each_check_of_a_deployment_is_a_test(
        self, pytester: pytest.Pytester, url: str
    ) -> None:
        options = (f"--devicestatus-url={url}", "--devicestatus-token-env=MY_TOKEN", "-k", "body")
        ended = pytester.runpytest_subprocess(
            *options, "--devicestatus-write", "--junitxml=out.xml"
        )
        about_bodies = [check for check in SUITE.checks if "body" in check.id]
        slow = sum(check.slow for check in about_bodies)
        others = len(SUITE.checks) - len(about_bodies)
        ended.assert_outcomes(passed=len(about_bodies) - slow, skipped=slow, deselected=others)
        assert TOKEN not in ended.stdout.str()
        cases = ET.parse(pytester.path / "out.xml").iter("testcase")  # noqa: S314 - just written
        assert [case.get("name") for case in cases] == [check.id for check in about_bodies]

    def test_an_application_object_passes_every_check(self, pytester: pytest.Pytester) -> None:
        pytester.makepyfile(APPLICATION)
        ended = pytester.runpytest_subprocess("-W", "error")
        ended.assert_outcomes(passed=2 * len(SUITE.checks))


@pytest.mark.check
class TestHypothesis:
    def test_from_type_draws_models(self, pytester: pytest.Pytester) -> None:
        pytester.makepyfile(
            """
            import devicestatus, healthapi, sitedata
            import pytest
            from hypothesis import given, settings, strategies as st
            from devicestatus import check_snapshot, encode

            MODELS = [
                devicestatus.Battery, devicestatus.Music, devicestatus.Snapshot,
                devicestatus.System, devicestatus.Window, devicestatus.WindowChanges,
                healthapi.Profile, sitedata.Problem, sitedata.Snapshot,
            ]

            @pytest.mark.parametrize("model", MODELS)
            @settings(max_examples=3)
            @given(data=st.data())
            def test_model(model, data):
                assert isinstance(data.draw(st.from_type(model)), model)

            @given(st.from_type(devicestatus.Snapshot))
            def test_drawn_snapshots_are_valid(snapshot):
                assert not check_snapshot(encode(snapshot))

            def test_other_types_are_left_alone():
                assert st.from_type(int).validate() is None
            """
        )
        ended = pytester.runpytest_subprocess("-W", "error")
        ended.assert_outcomes(passed=11)


def test_the_entry_points_import_no_product_until_they_are_used(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import json, sys\n"
        "def pytest_sessionfinish(session):\n"
        "    import hypothesis\n"
        "    print('MODULES', json.dumps(sorted(sys.modules)))\n"
    )
    command = [sys.executable, "-m", "pytest", "--collect-only", "-s", "-p", "no:schemathesis"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    line = next(line for line in ended.stdout.splitlines() if "MODULES" in line)
    loaded = set(json.loads(line.partition("MODULES")[2]))
    assert {"status_contracts.pytest_plugin", "status_contracts.hypothesis_types"} <= loaded
    slow = {"purewire", "devicestatus", "healthapi", "sitedata", "msgspec", "cattrs"}
    assert not {name.partition(".")[0] for name in loaded} & slow
