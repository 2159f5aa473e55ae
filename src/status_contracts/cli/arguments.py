"""The argument parser of all commands, and the options that several of them have.

It is `argparse` with error messages that name the value, list the choices and suggest the nearest
one, and with shell completion if `argcomplete` is installed.  Modules that only some calls need are
imported in those calls, so that `--help` stays fast.
"""

import argparse
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from importlib import import_module
from itertools import chain
from operator import methodcaller
from types import MappingProxyType
from typing import Any, NoReturn, Self, TextIO

from status_contracts.cli.exit_codes import USAGE, Failed, checked_output

__all__ = [
    "ADDRESS", "BOLD", "ENDLESS", "GREEN", "JSON", "OUTPUT", "PAGE_SETTINGS", "PORTS", "RED",
    "THEME", "YELLOW", "Commands", "Parser", "Styled", "bad_choice", "command", "defaults",
    "example", "flag", "folded", "installed_commands", "number", "option", "printable",
    "shared_commands", "styled",
]  # fmt: skip

PORTS = range(65_536)
"""Port numbers; 0 means any free port."""

BOLD, RED, GREEN, YELLOW, _CYAN = "1", "31", "32", "33", "36"
"""Styles: of headings and names, of errors, of what is good, of warnings, of what is typed."""

_TIMEOUTS = range(1, 3601)  # seconds
_MAX_DIGITS = 18
_MAX_CHOICES = 60
_MAX_QUOTED = 60
_OPTION = re.compile(r"--[^ =]+(?==|$)|-[A-Za-z](?!.* )")  # with a space it is a value
_TOGETHER = re.compile(r" (?=\d[\d,]*(?:,|$| (?:s|min)\b))|(?<=\d) (?=(?:s|min|h|px|bytes)\b)")
"""A space at which no line ends: before a count, and before a unit."""

_HELP = re.compile(
    r"(^ *[a-z][a-z ]*:(?=\s))|^ {2,4}\w+(?=  |$)|(?<![\w-])--?[A-Za-z][\w-]*", re.MULTILINE
)
"""What has a style in a help: headings (the group), commands and arguments, options."""

Option = Callable[["Parser"], object]
"""Adds an argument, or a default, to the parser of a command."""
Commands = Mapping[str, tuple[str, *tuple[Option, ...]]]
"""Name of a command to what it does and its options."""


def printable(line: str, stream: TextIO) -> str:
    """Return a line without what a terminal obeys: controls, direction marks, ends of lines.

    They are replaced by U+FFFD, and characters that the encoding of the stream lacks are escaped.
    """
    shown = "".join(character if character.isprintable() else "\ufffd" for character in line)
    encoding = stream.encoding or "utf-8"  # a text in memory has none
    return shown.encode(encoding, "backslashreplace").decode(encoding)


class Styled(str):
    """A line of which words have a style on a terminal, once; or else the whole line."""

    __slots__ = ("style", "words")
    style: str
    words: str

    def __new__(cls, line: str, style: str = BOLD, words: str | None = None) -> Self:
        """Return a line with words of a style."""
        made = super().__new__(cls, line)
        made.style, made.words = style, line if words is None else words
        return made

    def shown(self, stream: TextIO) -> str:
        """Return the line as a stream shows it."""
        words = map(re.escape, printable(self.words, stream).split())
        text = folded(str(self), stream)
        return re.sub(
            r"\s+".join(words), lambda match: styled(match[0], self.style, stream), text, count=1
        )


def command(text: str) -> Styled:
    """Return the line of a command that is to be pasted."""
    return Styled(f"    {text}", _CYAN)


def folded(line: object, stream: TextIO) -> str:
    """Return a printable line, in several on a narrower terminal; others as they are shown.

    One that begins with four spaces stays whole, as a command that is to be pasted.
    """
    if type(line) is not str:
        return str(line.shown(stream))  # type: ignore[attr-defined]  # a problem, slow to import
    if line.startswith("    "):
        return printable(line, stream)
    columns = shutil.get_terminal_size((sys.maxsize, 1)).columns
    width = columns if stream is sys.stdout or stream.isatty() else sys.maxsize
    lines = textwrap.TextWrapper(
        width, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False
    )
    text = _TOGETHER.sub("\xa0", printable(line, stream))
    return "\n".join(lines.wrap(text)).replace("\xa0", " ")


def styled(text: str, style: str, stream: TextIO) -> str:
    """Return a text in a style (SGR parameters) on a terminal, unless NO_COLOR is set."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    has_style = text and stream.isatty() and not is_plain
    return f"\033[{style}m{text}\033[0m" if has_style else text


class _HelpFormatter(argparse.HelpFormatter):
    """Breaks lines between words only, so that names with hyphens stay whole; keeps lists."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(text, width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        del indent  # of groups of arguments, which have no text here
        end = " \\\n    " if text.startswith("example: ") else "\n"  # a shell reads on after \
        return "\n\n".join(
            part if "    " in part else end.join(self._split_lines(part, width + 1 - len(end)))
            for part in text.strip().split("\n\n")
        )


class Parser(argparse.ArgumentParser):
    """The argument parser of a product, or of one of its commands."""

    _groups: Mapping[str, Commands] = MappingProxyType({})
    _commands: Mapping[str, "Parser"] = MappingProxyType({})

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - those of argparse
        super().__init__(formatter_class=_HelpFormatter, allow_abbrev=False, **settings)
        self.color = False  # of Python 3.14; the same in all versions is `_HELP`

    @classmethod
    def of_program(
        cls, name: str, description: str, epilog: str, groups: Mapping[str, Commands]
    ) -> "Parser":
        """Return the parser of a program; `groups` are headings with the commands below them."""
        parser = cls(
            prog=name,
            description=description,
            epilog=epilog,
            usage="%(prog)s [-h] [-V] COMMAND ...",
        )
        words = "show the version and exit"
        parser.add_argument("-V", "--version", action="version", help=words)
        # Not `required`: the help is printed where there is none.
        parsers = parser.add_subparsers(
            dest="command", metavar="COMMAND", prog=name, help=argparse.SUPPRESS
        )
        for command, (summary, *options) in chain(*(group.items() for group in groups.values())):
            added = parsers.add_parser(command, description=f"{summary}.")
            for option in options:
                option(added)
        parser._groups, parser._commands = groups, parsers.choices
        return parser

    def format_help(self) -> str:
        """Return the help; that of a program lists its commands by their groups."""
        about, _, _ = str(self.description).partition("\n")
        self.description = "\n".join((about, *self._listed()))
        return super().format_help()

    def _listed(self) -> Iterator[str]:
        width = shutil.get_terminal_size().columns - 2  # as that of argparse
        start = max(map(len, self._commands), default=0) + 6
        for title, commands in self._groups.items():
            yield f"\n{title}:"
            for command, (summary, *_) in commands.items():
                text = f"    {command:{start - 4}}{summary}"
                yield textwrap.fill(text, width, subsequent_indent=" " * start)
            yield f"\n    {self._commands[next(iter(commands))].epilog}"

    def parse(self, argv: Sequence[str] | None = None) -> argparse.Namespace:
        """Parse the arguments of a command line; raise Failed if they are wrong.

        `--help` and `--version` exit with code 0; without arguments the help is printed.
        """
        if "_ARGCOMPLETE" in os.environ:  # a shell requests completions; no command runs
            import_module("argcomplete").autocomplete(self)
        words = sys.argv[1:] if argv is None else list(argv)
        named = next((word for word in words if not word.startswith("-")), "")
        chosen = self._commands.get(named, self)
        chosen._refuse_unknown_options(words, self)  # noqa: SLF001 - of this class
        arguments, rest = self.parse_known_args(words)
        if self._commands and arguments.command is None:
            self.print_help(sys.stderr)
            raise Failed(USAGE)
        if rest:
            chosen.error(f"unexpected argument {rest[0]!r}")
        return arguments

    def _refuse_unknown_options(self, words: Sequence[str], program: "Parser") -> None:
        """Report an unknown option before argparse reports an argument that is missing.

        A value after `=`, or after a letter, is not quoted: it may be a secret.
        """
        known = {*self._option_string_actions, *program._option_string_actions}  # noqa: SLF001
        for word in words:
            if word == "--":
                return
            if (match := _OPTION.match(word)) and (name := match[0]) not in known:
                self.error(f"unknown option {name}{_suggestion(name, known - {'--help'})}")

    @property
    def version(self) -> str:
        """The text of `--version`, which argparse reads only then."""
        return f"%(prog)s {import_module('importlib.metadata').version('status-contracts')}"

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, bad_choice(str(value), action.choices))

    def error(self, message: str) -> NoReturn:
        """Raise Failed with a message, in which arguments may be quoted."""
        message = message.removeprefix("argument ").replace("with argument", "with")
        message = message.replace("the following arguments are required", "missing")
        message = message.replace(": expected one argument", " needs a value")
        remedies = ("did you mean", " is not ", *(() if self._commands else ("choose from",)))
        has_remedy = any(words in message for words in remedies)
        raise Failed(USAGE, message if has_remedy else f"{message}; see {self.prog} --help")

    def _print_message(self, message: str, file: Any = None) -> None:  # noqa: ANN401 - a stream
        """Print help or an error; a closed or full output is reported."""
        stream = sys.stdout if file is sys.stdout else sys.stderr
        text = _HELP.sub(lambda at: styled(at[0], BOLD if at[1] else _CYAN, stream), message)
        with checked_output() if stream is sys.stdout else nullcontext():
            stream.write(text)


def number(allowed: range) -> Callable[[str], int]:
    """Return an argument type: a whole number of a range of step 1; to 10**18 means without end."""

    def parse(text: str) -> int:
        if not re.fullmatch(f"-?[0-9]{{1,{_MAX_DIGITS}}}", text):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
        if int(text) in allowed:
            return int(text)
        has_end = len(str(allowed[-1])) < _MAX_DIGITS
        bounds = f"between {allowed[0]} and {allowed[-1]}" if has_end else f"{allowed[0]} or more"
        raise argparse.ArgumentTypeError(f"{text} is not {bounds}")

    return parse


def option(usage: str, words: str, **settings: object) -> Option:
    """Return an argument with names and metavar as in a usage: `file FILE`, `-o --output FILE`.

    `words` are for the help, and `settings` for `argparse.ArgumentParser.add_argument`.
    """
    *names, last = usage.split()
    if last.isupper():
        settings["metavar"] = last
    else:
        names.append(last)
    return methodcaller("add_argument", *names, help=words, **settings)


def example(arguments: str) -> Option:
    """Return the example of a call for the help of a command."""

    def add(parser: Parser) -> None:
        parser.epilog = f"example: {parser.prog} {arguments}"

    return add


def flag(usage: str, words: str) -> Option:
    """Return an option without a value."""
    return option(usage, words, action="store_true")


def defaults(**values: object) -> Option:
    """Return attributes of the parsed arguments that no argument sets.

    `module` is that of the command, in place of one with its name; an `endless` command runs until
    it is stopped.
    """
    return methodcaller("set_defaults", **values)


ENDLESS = defaults(endless=True)
ADDRESS = (
    option("--host", "address to listen on (default: %(default)s)", default="127.0.0.1"),
    option(
        "--port",
        "port to listen on, 0 for any free one (default: %(default)s)",
        type=number(PORTS),
        default=8000,
    ),
)
JSON = flag("--json", "print one JSON document in place of text")
OUTPUT = option("-o --output FILE", "write here (default: the standard output)")
PAGE_SETTINGS = option("--page-settings FILE", "TOML file: name, line, links, pages, artwork")
THEME = option(
    "--theme",
    "colours of the image (default: %(default)s)",
    choices=("light", "dark", "transparent"),
    default="light",
)
_WRITING: tuple[Option, ...] = (
    flag("--write", "also replace the present record; it is not restored"),
    option("--token-file FILE", "file with the ingest token, for --write (default: $INGEST_TOKEN)"),
    flag("--slow", "also wait for deadlines, about 40 minutes"),
)
_READING = defaults(write=False, token_file=None, slow=False)
_CONFORMANCE: tuple[Option, ...] = (
    example("https://status.example.org"),
    option("url URL", "base URL of the deployment"),
    option("--report FILE", "also write the report to a file, as JUnit XML"),
    option("--timeout SECONDS", "for a response (default: 20)", type=number(_TIMEOUTS), default=20),
    defaults(module=f"{__package__}.conformance", profile="full"),
)
_SHIPPED = defaults(module=f"{__package__}.shipped")


def shared_commands(*parts: str, writes: bool = False) -> Commands:
    """Return the commands that all products have; `writes`: with options for a write endpoint.

    `parts` are those of the contract that can be tested alone.
    """
    choices = ("full", *parts)
    words = f"part of the contract to test: {', '.join(choices)} (default: full)"
    profile = (option("--profile NAME", words, choices=choices),) if parts else ()
    options = (*_CONFORMANCE, *profile, *(_WRITING if writes else (_READING,)))
    return {
        "conformance": ("Test any deployment of the contract", *options),
        "vectors": (
            "List or write the test vectors of the contract",
            example("-o vectors"),
            option("-o --output DIR", "write the files into this folder"),
            _SHIPPED,
        ),
        "schema": (
            "Print a JSON Schema or OpenAPI",
            example("openapi"),
            option("name NAME", "what to print (default: the list of names)", nargs="?"),
            flag("--list", "list the names and exit"),
            OUTPUT,
            _SHIPPED,
        ),
    }


def installed_commands(product: str) -> Commands:
    """Return the commands of a product that programs beside it bring, by name.

    A program names each in the entry point group `status_contracts.commands`: `devicestatus agent`
    leads to what the command does and its options; its `defaults` name the module that runs it.
    """
    points = import_module("importlib.metadata").entry_points(group="status_contracts.commands")
    named = ((point.name.partition(" "), point) for point in points)
    return {name: point.load() for (owner, _, name), point in named if owner == product}


def bad_choice(value: str, choices: Iterable[str]) -> str:
    """Return the message for a value that is not one of the choices; it suggests the nearest."""
    known = list(choices)
    listed = ", ".join(_cut(choice) for choice in known[:_MAX_CHOICES])
    more = f" and {len(known) - _MAX_CHOICES} more" if len(known) > _MAX_CHOICES else ""
    return f"invalid choice {_cut(value)!r}{_suggestion(value, known)} (choose from {listed}{more})"


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_QUOTED else f"{text[: _MAX_QUOTED - 1]}…"


def _suggestion(value: str, choices: Iterable[str]) -> str:
    known = {choice.lstrip("-"): choice for choice in sorted(choices)}
    near = import_module("difflib").get_close_matches(value.lower().lstrip("-"), known, 1)
    return f"; did you mean {_cut(known[near[0]])!r}?" if near else ""
