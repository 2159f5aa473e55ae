"""The argument parser of all commands.

It is `argparse` with error messages that name the value, list the choices and suggest the nearest
one, and with shell completion if `argcomplete` is installed.  Modules that only some calls need are
imported in those calls, so that `--help` stays fast.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module

from purewire.adapters.commands.exit_codes import CANNOT, Failed, write_checked

PORTS = range(65_536)
"""Port numbers; 0 means any free port."""

_DISTRIBUTION = "status-contracts"


class Parser(argparse.ArgumentParser):
    """An argument parser of a product, or of one of its subcommands."""

    _subcommands: "argparse._SubParsersAction[Parser] | None" = None
    _refused: Mapping[str, str] = {}

    @classmethod
    def of_program(
        cls, name: str, description: str, epilog: str, *, refused: Mapping[str, str] | None = None
    ) -> "Parser":
        """Return the parser of a program, with `-V` and `--version`.

        `refused` has options that exist only to be refused, with the message; subcommands too
        refuse them.
        """
        parser = cls(
            prog=name,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
            add_help=False,
        )
        words = "show the version and exit"
        parser._add_common(refused or {})
        parser.add_argument("-V", "--version", action=_ShowVersion, help=words)
        return parser

    def add_subcommand(self, name: str, words: str) -> "Parser":
        """Add a subcommand, and return its parser."""
        if self._subcommands is None:
            # Not `required`: the message of argparse does not list the choices.
            self._subcommands = self.add_subparsers(dest="command", metavar="COMMAND")
        added = self._subcommands.add_parser(
            name, help=words, description=f"{words}.", allow_abbrev=False, add_help=False
        )
        added._add_common(self._refused)  # noqa: SLF001 - of this class
        return added

    def _add_common(self, refused: Mapping[str, str]) -> None:
        """Add `-h` and `--help`, which report a closed or full output, and the refused options."""
        self.add_argument("-h", "--help", action=_ShowHelp, help="show this help message and exit")
        self._refused = refused
        for option, message in refused.items():
            hidden = argparse.SUPPRESS
            self.add_argument(option, nargs="?", action=_Refuse, const=message, help=hidden)

    def add_address(self) -> None:
        """Add `--host` and `--port`."""
        words = "address to listen on (%(default)s)"
        self.add_argument("--host", default="127.0.0.1", help=words)
        words = "port to listen on, 0 for any free one (%(default)s)"
        self.add_argument("--port", type=number(PORTS), default=8000, help=words)

    def add_json(self, help_text: str = "print one JSON document in place of text") -> None:
        """Add `--json`."""
        self.add_argument("--json", action="store_true", help=help_text)

    def add_color(self, of: str) -> None:
        """Add `--color`, whose help names what has colours."""
        choices = ("auto", "always", "never")
        self.add_argument("--color", choices=choices, default="auto", help=of)

    def add_output(self) -> None:
        """Add `-o` and `--output`, for a file in place of the standard output."""
        words = "write here (the standard output)"
        self.add_argument("-o", "--output", metavar="PATH", help=words)

    def add_theme(self) -> None:
        """Add `--theme` of an image."""
        choices = ("light", "dark", "transparent")
        self.add_argument(
            "--theme", choices=choices, default="light", help="of the image (%(default)s)"
        )

    def add_report(self, formats: str = ".sarif or .xml (JUnit)") -> None:
        """Add `--report FILE`, with the suffixes and formats for the help."""
        words = f"write a report: {formats}; may be given again"
        self.add_argument("--report", metavar="FILE", action="append", default=[], help=words)

    def add_page_settings(self) -> None:
        """Add `--page-settings FILE`."""
        words = "TOML file: name, line, avatar, links and theme of the page"
        self.add_argument("--page-settings", metavar="FILE", help=words)

    def add_conformance(
        self, words: str, *, writes: bool = False, module: str = f"{__package__}.conformance"
    ) -> None:
        """Add the subcommand `conformance` of all products, whose `words` name what it tests.

        `writes`: whether the product has a write endpoint; adds the options for it.
        """
        parser = self.add_subcommand("conformance", words)
        parser.set_defaults(writes=writes, module=module)
        add = parser.add_argument
        add("url", metavar="URL", nargs="?", help="base URL of the deployment")
        words = "environment variable with the ingest token (%(default)s)"
        add(
            "--token-env",
            metavar="NAME",
            default="INGEST_TOKEN" if writes else None,
            help=words
            if writes
            else "ignored: nothing is written (for one script of all products)",
        )
        if writes:
            words = "also replace the present record, for all checks"
            add("--write", action="store_true", help=words)
            add("--slow", action="store_true", help="also wait for deadlines, for some minutes")
        else:
            parser.set_defaults(write=False, slow=False)
        for option, which in (("--only", "only"), ("--skip", "no")):
            words = f"{which} checks of this ID, a group or a rule; may be given again"
            add(option, metavar="NAME", action="append", default=[], help=words)
        words = "test only this part of the contract, see --list (%(default)s)"
        add("--profile", metavar="NAME", default="full", help=words)
        add("--list", action="store_true", help="list groups, checks and profiles, and exit")
        parser.add_report("a folder for all details, or .txt, .json, .xml (JUnit), .html, .svg")
        add("--strict", action="store_true", help="exit with 4 if a must was left unverified")
        add("--timeout", metavar="SECONDS", type=float, default=20.0, help="for each response (20)")
        parser.add_json()

    def add_schema(self, *, default: str | None = None) -> None:
        """Add the subcommand `schema` of all products; without `default` it needs a name."""
        words = "Print a JSON Schema, OpenAPI or TypeScript types"
        parser = self.add_subcommand("schema", words)
        parser.set_defaults(module=f"{__package__}.shipped")
        words = f"what to print{'' if default is None else ' (%(default)s)'}; see --list"
        parser.add_argument("name", metavar="NAME", nargs="?", default=default, help=words)
        parser.add_argument("--list", action="store_true", help="list the names and exit")
        parser.add_output()

    def add_compatible(self) -> None:
        """Add the subcommand `compatible` of all products."""
        words = "Show what a new version of the contract breaks, and in which order to deploy it"
        parser = self.add_subcommand("compatible", words)
        parser.set_defaults(module=f"{__package__}.compatible")
        words = "folder of the deployed version: a checkout, or its schemas and rules.toml"
        parser.add_argument("old", metavar="OLD", help=words)
        parser.add_argument("new", metavar="NEW", help="folder of the version that replaces it")
        parser.add_json()

    def add_vectors(self) -> None:
        """Add the subcommand `vectors` of all products."""
        words = "List or write the test vectors of the contract"
        parser = self.add_subcommand("vectors", words)
        parser.set_defaults(module=f"{__package__}.shipped")
        words = "write the files into this folder"
        parser.add_argument("-o", "--output", metavar="DIR", help=words)

    def parse(self, argv: Sequence[str] | None = None) -> argparse.Namespace:
        """Parse the arguments of a command line; exit if they are wrong.

        Raises:
            SystemExit: code 2 for wrong arguments, code 0 after `--help` and `--version`.

        """
        if "_ARGCOMPLETE" in os.environ:  # a shell requests completions; no command runs
            self._complete()
        words = sys.argv[1:] if argv is None else list(argv)
        chosen = self._chosen(words)
        self._refuse_unknown_options(words, chosen)
        try:
            arguments, rest = self.parse_known_args(words)
        except Failed as failure:
            self.exit(failure.exit_code, "".join(f"{self.prog}: {it}\n" for it in failure.lines))
        if self._subcommands is not None and arguments.command is None:
            self.error(f"a COMMAND is missing (choose from {_listed(self._subcommands.choices)})")
        if rest:
            chosen.error(f"unexpected argument {rest[0]!r}")
        return arguments

    def _complete(self) -> None:
        try:
            argcomplete = import_module("argcomplete")
        except ModuleNotFoundError:
            needs = f"argcomplete is not installed: pip install '{_DISTRIBUTION}[cli]'"
            self.exit(CANNOT, f"{self.prog}: {needs}\n")
        argcomplete.autocomplete(self)

    def _chosen(self, words: Sequence[str]) -> "Parser":
        """Return the parser of the subcommand that is named first, or this parser."""
        name = next((word for word in words if not word.startswith("-")), "")
        return self if self._subcommands is None else self._subcommands.choices.get(name, self)

    def _refuse_unknown_options(self, words: Sequence[str], chosen: "Parser") -> None:
        """Report an unknown option before argparse reports an argument that is missing.

        A value after `=` is not quoted: it may be a secret.
        """
        known = {*self._option_string_actions, *chosen._option_string_actions}  # noqa: SLF001
        for word in words:
            name = word.partition("=")[0]
            if name == "--":
                return
            # argparse treats an argument with a space as a value.
            if name.startswith("--") and " " not in word and name not in known:
                hint = (
                    _suggestion(name, known.difference(self._refused))
                    or f"; {chosen.prog} --help lists the options"
                )
                chosen.error(f"unknown option {name}{hint}")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, bad_choice(str(value), action.choices))


class _Refuse(argparse.Action):
    """Keeps the value of a refused option out of the message."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.error(self.const)


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
        chosen = integer(text)
        if chosen in allowed:
            return chosen
        raise argparse.ArgumentTypeError(f"{chosen} is not from {allowed[0]} to {allowed[-1]}")

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
