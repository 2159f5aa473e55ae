"""The argument parser of all commands.

It is `argparse` with error messages that name the value, list the choices and suggest the nearest
one, and with shell completion if `argcomplete` is installed.  Modules that only some calls need are
imported in those calls, so that `--help` stays fast.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module

from purewire.adapters.commands.exit_codes import CANNOT, Failed
from purewire.adapters.commands.stdout import write_checked

PORTS = range(65_536)
"""Port numbers; 0 means any free port."""

_DISTRIBUTION = "status-contracts"


class Parser(argparse.ArgumentParser):
    """An argument parser of a product, or of one of its subcommands."""

    _subcommands: "argparse._SubParsersAction[Parser] | None" = None

    @classmethod
    def of_program(cls, name: str, description: str, epilog: str) -> "Parser":
        """Return the parser of a program, with `-V` and `--version`."""
        parser = cls(
            prog=name,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            add_help=False,
        )
        parser._add_help()
        words = "show the version and exit"
        parser.add_argument("-V", "--version", action=_ShowVersion, help=words)
        return parser

    def add_address(self) -> None:
        """Add `--host` and `--port`."""
        words = "address to listen on (%(default)s)"
        self.add_argument("--host", default="127.0.0.1", help=words)
        words = "port to listen on, 0 for any free one (%(default)s)"
        self.add_argument("--port", type=number(PORTS), default=8000, help=words)

    def add_json(self, help_text: str = "print one JSON document in place of text") -> None:
        """Add `--json`."""
        self.add_argument("--json", action="store_true", help=help_text)

    def add_report(self, formats: str) -> None:
        """Add `--report FILE`, with the suffixes and formats for the help."""
        self.add_argument(
            "--report",
            metavar="FILE",
            action="append",
            default=[],
            help=f"write a report: {formats}; may be given again",
        )

    def add_page_settings(self) -> None:
        """Add `--page-settings FILE`."""
        words = "TOML file: name, line, avatar, links and theme of the page"
        self.add_argument("--page-settings", metavar="FILE", help=words)

    def add_subcommand(self, name: str, words: str) -> "Parser":
        """Add a subcommand, and return its parser."""
        if self._subcommands is None:
            # Not `required`: the message of argparse does not list the choices.
            self._subcommands = self.add_subparsers(dest="command", metavar="COMMAND")
        added = self._subcommands.add_parser(
            name, help=words, description=f"{words}.", allow_abbrev=False, add_help=False
        )
        added._add_help()  # noqa: SLF001 - of this class
        return added

    def parse(self, argv: Sequence[str] | None = None) -> argparse.Namespace:
        """Parse the arguments of a command line; exit if they are wrong.

        Raises:
            SystemExit: code 2 for wrong arguments, code 0 after `--help` and `--version`.

        """
        if "_ARGCOMPLETE" in os.environ:  # a shell requests completions; no command runs
            self._complete()
        given = sys.argv[1:] if argv is None else list(argv)
        chosen = self._chosen(given)
        self._refuse_unknown_options(given, chosen)
        try:
            arguments, rest = self.parse_known_args(given)
        except Failed as failure:
            self.exit(failure.exit_code, "".join(f"{self.prog}: {it}\n" for it in failure.lines))
        if self._subcommands is not None and arguments.command is None:
            self.error(f"a COMMAND is missing (choose from {_listed(self._subcommands.choices)})")
        if rest:
            chosen.error(f"unexpected argument {rest[0]!r}")
        return arguments

    def _add_help(self) -> None:
        """Add `-h` and `--help`, which report a closed or full output."""
        self.add_argument("-h", "--help", action=_ShowHelp, help="show this help message and exit")

    def _complete(self) -> None:
        try:
            argcomplete = import_module("argcomplete")
        except ModuleNotFoundError:
            needs = f"argcomplete is not installed: pip install '{_DISTRIBUTION}[cli]'"
            self.exit(CANNOT, f"{self.prog}: {needs}\n")
        argcomplete.autocomplete(self)

    def _chosen(self, given: Sequence[str]) -> "Parser":
        """Return the parser of the subcommand that is named first, or this parser."""
        name = next((each for each in given if not each.startswith("-")), "")
        return self if self._subcommands is None else self._subcommands.choices.get(name, self)

    def _refuse_unknown_options(self, given: Sequence[str], chosen: "Parser") -> None:
        """Report an unknown option before argparse reports an argument that is missing.

        A value after `=` is not quoted: it may be a secret.
        """
        known = {*self._option_string_actions, *chosen._option_string_actions}  # noqa: SLF001
        for each in given:
            name = each.partition("=")[0]
            if name == "--":
                return
            # argparse treats an argument with a space as a value.
            if name.startswith("--") and " " not in each and name not in known:
                public = (option for option in known if option != _HIDDEN)
                hint = _suggestion(name, public) or f"; {chosen.prog} --help lists the options"
                chosen.error(f"unknown option {name}{hint}")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, bad_choice(str(value), action.choices))


_HIDDEN = "--token"
"""An option that exists only to be refused (see `status_contracts.devicestatus`)."""


class _Show(argparse.Action):
    """Print a text and exit."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:  # noqa: A002
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        text = self.text(parser)

        def write() -> None:
            sys.stdout.write(text)
            sys.stdout.flush()

        write_checked(write)
        parser.exit()

    def text(self, parser: argparse.ArgumentParser) -> str:
        """Return what to print."""
        raise NotImplementedError


class _ShowHelp(_Show):
    def text(self, parser: argparse.ArgumentParser) -> str:
        return parser.format_help()


class _ShowVersion(_Show):
    def text(self, parser: argparse.ArgumentParser) -> str:
        metadata = import_module("importlib.metadata")  # takes 20 ms
        return f"{parser.prog} {metadata.version(_DISTRIBUTION)}\n"


def integer(text: str) -> int:
    """Return the whole number of an argument; an argument type."""
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")


def number(allowed: range) -> Callable[[str], int]:
    """Return an argument type: a whole number of a range, whose step is 1."""

    def parse(text: str) -> int:
        found = integer(text)
        if found in allowed:
            return found
        raise argparse.ArgumentTypeError(f"{found} is not from {allowed[0]} to {allowed[-1]}")

    return parse


_MAX_DIGITS = 18


def bad_choice(value: str, choices: Iterable[str]) -> str:
    """Return the message for a value that is not one of the choices; it suggests the nearest."""
    known = list(choices)
    return f"invalid choice {value!r} (choose from {_listed(known)}){_suggestion(value, known)}"


def _listed(choices: Iterable[str]) -> str:
    return ", ".join(choices)


def _suggestion(value: str, choices: Iterable[str]) -> str:
    near = import_module("difflib").get_close_matches(value.lower(), sorted(choices), 1)
    return f"; did you mean {near[0]!r}?" if near else ""
