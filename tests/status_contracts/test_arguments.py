"""Wrong arguments are reported with the value, the choices and the nearest of them."""

import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib.metadata import version

import pytest

from status_contracts.cli.arguments import (
    ADDRESS,
    JSON,
    PORTS,
    Commands,
    Parser,
    example,
    number,
    option,
)
from status_contracts.cli.main import run_program
from support.status_contracts.terminal import Terminal

Refused = Callable[..., str]


def parser() -> Parser:
    kind = option("--kind", "its kind", choices=("snapshot", "window"))
    commands: Commands = {
        "check": ("Check a file", example("a.json"), option("file FILE", "it"), JSON, kind),
        "show": ("Show it in words that do not fit into a line", *ADDRESS),
    }
    return Parser.of_program("it", "Do it.", "An end.", {"everyday": commands})


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Refused:
    """Run a command with wrong arguments, and return the message."""

    def parse(*argv: str) -> str:
        assert run_program(parser(), argv) == 2
        out, err = capsys.readouterr()
        assert out == ""
        return err.removesuffix("\n")

    return parse


class TestParse:
    def test_right_arguments_are_parsed(self) -> None:
        found = parser().parse(["check", "--json", "--kind=window", "-"])
        assert vars(found) == {"command": "check", "file": "-", "json": True, "kind": "window"}
        assert parser().parse(["show", "--port", "0"]).port == 0

    def test_what_follows_two_dashes_is_no_option(self) -> None:
        assert parser().parse(["check", "--", "--kin"]).file == "--kin"

    def test_a_value_with_a_space_is_no_option(self) -> None:
        assert parser().parse(["check", "-- a file"]).file == "-- a file"

    @pytest.mark.parametrize(
        ("argv", "message"),
        [
            (
                ["chekc", "x"],
                "COMMAND: invalid choice 'chekc'; did you mean 'check'? (choose from check, show)",
            ),
            (["zzz"], "COMMAND: invalid choice 'zzz' (choose from check, show); see it --help"),
            (["--verson"], "unknown option --verson; did you mean '--version'?"),
            # Dashes make no two names alike.
            (["check", "--bine"], "unknown option --bine; see it check --help"),
            (["--zzz"], "unknown option --zzz; see it --help"),
            (["-zsecret"], "unknown option -z; see it --help"),
            (["check", "-z"], "unknown option -z; see it check --help"),
            # A missing argument is not reported in its place.
            (["check", "--jsn"], "unknown option --jsn; did you mean '--json'?"),
            (
                ["check", "x", "--kind", "windwo"],
                (
                    "--kind: invalid choice 'windwo'; did you mean 'window'?"
                    " (choose from snapshot, window)"
                ),
            ),
            (["check", "x", "--theme"], "unknown option --theme; see it check --help"),
            (["check", "x", "--kind"], "--kind needs a value; see it check --help"),
            (["check", "x", "y"], "unexpected argument 'y'; see it check --help"),
            (["check"], "missing: FILE; see it check --help"),
            (["show", "--port", "65536"], "--port: 65536 is not between 0 and 65535"),
            (["show", "--port", "-1"], "--port: -1 is not between 0 and 65535"),
            (["show", "--port", "x"], "--port: 'x' is not a whole number"),
        ],
    )
    def test_a_message_names_value_choices_and_the_nearest(
        self, argv: list[str], message: str, refused: Refused
    ) -> None:
        assert refused(*argv) == f"it: {message}"

    def test_without_a_command_it_prints_the_help(self, refused: Refused) -> None:
        assert f"{refused()}\n" == parser().format_help()

    @pytest.mark.parametrize("value", ["secret", "a secret"])
    def test_a_value_of_an_unknown_option_is_not_quoted(self, value: str, refused: Refused) -> None:
        assert "secret" not in refused("check", "x", f"--token={value}")

    @pytest.mark.parametrize("option", ["-V", "--version"])
    def test_the_version_is_that_of_the_distribution(
        self, option: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit) as ended:
            parser().parse([option])
        assert ended.value.code == 0
        assert capsys.readouterr() == (f"it {version('status-contracts')}\n", "")


class TestHelp:
    def test_commands_are_listed_by_their_groups_with_an_example_and_fit_the_terminal(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "42")
        for _ in range(2):
            text = parser().format_help()
            assert text.startswith("usage: it [-h] [-V] COMMAND ...\n\nDo it.\n\neveryday:\n")
            assert (
                "    check  Check a file\n"
                "    show   Show it in words that do not\n"
                "           fit into a line\n\n"
                "    example: it check a.json\n\n"
            ) in text
            assert text.endswith("An end.\n")

    def test_a_command_has_its_example_and_words_with_hyphens_stay_whole(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("COLUMNS", "42")
        presets = option("--preset", "one of the presets: sleep-trend, x")
        made = Parser.of_program(
            "it",
            "",
            "",
            {"": {"draw": ("Draw", example("a.svg --preset x -o sleep.svg"), presets)}},
        )
        with pytest.raises(SystemExit):
            made.parse(["draw", "--help"])
        text = capsys.readouterr().out
        assert text.endswith("\n\nexample: it draw a.svg --preset x \\\n    -o sleep.svg\n")
        assert " sleep-trend, x\n" in text

    def test_headings_commands_and_options_have_colours_on_a_terminal_that_has_some(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv("TERM", "xterm")
        with redirect_stdout(Terminal()) as shown:
            parser().print_help()
            for name, value in (("TERM", "dumb"), ("NO_COLOR", "1")):
                monkeypatch.setenv(name, value)
                parser().print_help()
        plain = parser().format_help()
        coloured = shown.getvalue().removesuffix(2 * plain)
        assert "\x1b[1meveryday:\x1b[0m\n\x1b[36m    check\x1b[0m  Check a file\n" in coloured
        assert "\x1b[1m    example:\x1b[0m it check a.json\n" in coloured
        assert "  \x1b[36m-h\x1b[0m, \x1b[36m--help\x1b[0m  " in coloured
        assert re.sub("\x1b" r"\[\d*m", "", coloured) == plain


class TestNumber:
    @pytest.mark.parametrize("text", ["0", "65535", "0080"])
    def test_a_number_of_the_range(self, text: str) -> None:
        assert number(PORTS)(text) == int(text)

    @pytest.mark.parametrize("text", ["", "-", "1.0", "1_0", " 1", "²", "9" * 5000, "--1"])
    def test_all_else_is_rejected(self, text: str) -> None:
        with pytest.raises(Exception, match="is not a whole number"):
            number(PORTS)(text)


class TestCompletion:
    """`argcomplete` sets these variables, and reads completions from file descriptor 8."""

    @pytest.mark.parametrize(
        ("product", "line", "expected"),
        [
            ("devicestatus", "devicestatus va", ["validate"]),
            ("devicestatus", "devicestatus agent --mode ", ["buffered", "eco", "realtime"]),
            ("sitedata", "sitedata show x --theme d", ["dark"]),
        ],
    )
    def test_a_shell_completes_commands_options_and_choices(
        self, product: str, line: str, expected: list[str]
    ) -> None:
        done = subprocess.run(
            [
                "sh", "-c", 'exec "$@" 8>&1 9>&2 >/dev/null', "sh",
                sys.executable, "-m", f"{product}.cli.main",
            ],
            env={
                "_ARGCOMPLETE": "1",
                "_ARGCOMPLETE_IFS": "\n",
                "COMP_TYPE": "9",
                "COMP_LINE": line,
                "COMP_POINT": str(len(line)),
                "PATH": "/usr/bin:/bin",
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )  # fmt: skip
        assert sorted(each.strip() for each in done.stdout.split("\n") if each) == expected, done

    def test_without_the_library_nothing_is_run(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("_ARGCOMPLETE", "1")
        monkeypatch.setitem(sys.modules, "argcomplete", None)
        assert run_program(parser(), ["show"]) == 3
        needs = "it: argcomplete is not installed:\n    pip install 'status-contracts[cli]'\n"
        assert capsys.readouterr() == ("", needs)
