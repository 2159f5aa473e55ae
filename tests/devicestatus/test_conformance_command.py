"""`devicestatus conformance` in this process, over real sockets: options, reports, exit codes."""

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import conformance_sample
import pytest

from devicestatus import Settings
from devicestatus.adapters import asgi
from devicestatus.adapters.memory import MemoryStore
from support.checks.canary import TOKEN
from support.devicestatus.app_icons import FOLDER
from support.purewire.asgi_layers import Call, Request, Response, layered
from support.servers.commands import environment, run
from support.servers.servers import serve_asgi

ENV = environment() | {"INGEST_TOKEN": TOKEN}
WITHOUT_TOKEN = ENV | {"INGEST_TOKEN": ""}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve a healthy deployment."""
    app = asgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=FOLDER)
    with serve_asgi(app) as base_url:
        yield base_url


@pytest.fixture(scope="module")
def broken_url() -> Iterator[str]:
    """Serve a deployment whose health check has one member too many."""
    app = asgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=FOLDER)

    async def with_version(request: Request, call: Call) -> Response:
        response = await call(request)
        if request.path == "/api/health" and request.method == "GET":
            response.put_json(response.json | {"version": "1"})
        return response

    with serve_asgi(layered(app, with_version)) as base_url:
        yield base_url


class TestExitCodes:
    def test_no_check_failed(self, url: str) -> None:
        ended = run("conformance", url, "--only", "health", env=ENV)
        assert ended.code == 0
        assert "1 check of" in ended.out
        assert "no check failed; " in ended.out

    def test_a_check_failed(self, broken_url: str) -> None:
        ended = run("conformance", broken_url, "--only", "health", env=ENV)
        assert ended.code == 1
        assert "FAILED health.body:" in ended.out
        assert "  DS-HEALTH-01 (must): " in ended.out
        assert "  expected: /version " in ended.out
        assert f"  sent:     curl --include --path-as-is {broken_url}/api/health" in ended.out
        assert "Broken rules: DS-HEALTH-01" in ended.out

    @pytest.mark.parametrize(
        ("arguments", "message"), [(("--skip", "DS-HEALTH-1"), "similar: DS-HEALTH-01")]
    )
    def test_wrong_arguments(self, url: str, arguments: tuple[str, ...], message: str) -> None:
        ended = run("conformance", url, *arguments, env=ENV)
        assert ended.code == 2
        assert message in ended.err

    def test_without_a_url_checks_are_only_listed(self) -> None:
        assert "URL is missing" in run("conformance", env=ENV).err
        listed = run("conformance", "--list", env=ENV)
        assert listed.code == 0
        assert "  health.body: `/api/health` has ok true" in listed.out
        chosen = run("conformance", "--list", "--profile", "snapshot", env=ENV)
        assert (chosen.code, "leave out --profile" in chosen.err) == (2, True)

    def test_the_sample_of_the_page_is_what_the_command_prints(self) -> None:
        """After a change: `python tools/conformance_sample.py --write`."""
        assert conformance_sample.main([]) == 0

    def test_writing_needs_the_token(self, url: str) -> None:
        ended = run("conformance", url, "--write", env=WITHOUT_TOKEN)
        assert ended.code == 2
        assert "the environment variable INGEST_TOKEN is not set" in ended.err
        assert "--token-env names another" in ended.err

    def test_a_must_that_was_not_verified(self, url: str) -> None:
        ended = run("conformance", url, "--only", "health", "--strict", env=ENV)
        assert ended.code == 4


class TestToken:
    def test_the_token_comes_from_another_variable(self, url: str) -> None:
        env = WITHOUT_TOKEN | {"STATUS_TOKEN": TOKEN}
        options = ("--token-env", "STATUS_TOKEN", "--write", "--only", "update.lifetime")
        ended = run("conformance", url, *options, env=env)
        assert ended.code == 0
        assert "--write replaces the present record" in ended.err
        assert "snapshot that reports nothing, until" in ended.out

    def test_a_wrong_token_cannot_be_tested(self, url: str) -> None:
        env = ENV | {"INGEST_TOKEN": "x" * 40}
        ended = run("conformance", url, "--write", "--only", "update", env=env)
        assert ended.code == 3
        assert "the token is wrong" in ended.err

    def test_without_the_token_checks_that_need_it_are_skipped(self, url: str) -> None:
        ended = run("conformance", url, "--only", "token", env=WITHOUT_TOKEN)
        assert ended.code == 0
        assert "   6 it needs the token" in ended.out


class TestSelection:
    def test_rules_groups_of_rules_and_checks_are_selected_and_left_out(self, url: str) -> None:
        options = (
            "--only",
            "DS-HEALTH",
            "--only",
            "headers",
            "--skip",
            "headers.unknown",
            "--json",
        )
        ended = run("conformance", url, *options, env=ENV)
        ids = [each["id"] for each in json.loads(ended.out)["results"]]
        assert "health.body" in ids
        assert "headers.independent" in ids
        assert "headers.unknown" not in ids


class TestReports:
    def test_each_suffix_has_its_format_and_none_has_the_token(
        self, broken_url: str, tmp_path: Path
    ) -> None:
        names = [tmp_path / f"report{suffix}" for suffix in (".json", ".xml", ".html", ".svg")]
        options = [word for name in names for word in ("--report", str(name))]
        only = ("--only", "health", "--only", "token", "--only", "update.overwrites", "--write")
        ended = run("conformance", broken_url, *only, *options, env=ENV)
        assert ended.code == 1
        written = [name.read_bytes() for name in names]
        assert TOKEN.encode() not in b"".join(written)
        as_json, junit, html, badge = written
        value = json.loads(as_json)
        assert value["counts"]["failed"] == 1
        assert value["conforms"] is False
        curl = [each["curl"] for result in value["results"] for each in result["requests"]]
        assert any('"Authorization: Bearer $INGEST_TOKEN"' in line for line in curl)
        assert ET.fromstring(junit)[0].get("failures") == "1"  # noqa: S314 - it is our own
        assert b"<details><summary>1 check: " in html
        assert b">2 broken rules<" in badge or b">1 broken rule<" in badge

    def test_a_folder_has_the_whole_report_and_a_script_for_each_failed_check(
        self, broken_url: str, tmp_path: Path
    ) -> None:
        folder = tmp_path / "report"
        options = ("--only", "health.body", "--report", folder)
        ended = run("conformance", broken_url, *options, env=ENV)
        assert f"1 check failed; details: {folder / 'report.txt'}" in ended.out
        assert "FAILED health.body" in (folder / "report.txt").read_text("utf-8")
        script = (folder / "checks" / "health.body.sh").read_text("utf-8")
        assert 'curl --silent --show-error --include --path-as-is "$url"/api/health' in script

    def test_a_folder_that_cannot_be_made_is_an_error(self, url: str, tmp_path: Path) -> None:
        folder = tmp_path / "a-file" / "report"
        folder.parent.touch()
        ended = run("conformance", url, "--only", "health", "--report", folder, env=ENV)
        assert ended.code == 3
        assert f"cannot write {folder}" in ended.err

    def test_json_on_the_output_is_the_report(self, url: str) -> None:
        ended = run("conformance", url, "--only", "health", "--json", env=ENV)
        value = json.loads(ended.out)
        assert value["product"] == "devicestatus"
        assert [each["outcome"] for each in value["results"]] == ["passed"]
        assert ended.err == ""

    def test_a_report_that_cannot_be_written_is_an_error(self, url: str, tmp_path: Path) -> None:
        path = tmp_path / "absent" / "report.json"
        ended = run("conformance", url, "--only", "health", "--report", path, env=ENV)
        assert ended.code == 3
        assert "absent" in ended.err
