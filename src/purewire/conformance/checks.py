"""Checks, what they yield, and how they end.

A check yields `Send`, `Wait` and `ReadClock` and is sent the results.  It passes by returning.
It raises `CheckFailed` if the deployment breaks a rule, and `Unchecked` if it cannot decide.

Each failed expectation carries what it compared, so that a report groups failures by their cause,
and the rule that the step tests: `rule=` of the expectation, else that of the `testing` block
around it, else the first rule of the check.
"""

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum, StrEnum
from functools import partial
from typing import Any, Final, Generic, TypeVar

import attrs

from purewire.conformance.differences import first_difference, json_text, shorten, value_at
from purewire.findings import Finding
from purewire.json import codec
from purewire.json.positions import describe_syntax_error

_Headers = tuple[tuple[str, str], ...]
_LONGEST_TARGET: Final = 160
Context = TypeVar("Context")
"""A deployment as the checks of a suite see it; made by its `prepare`."""


class TokenForm(Enum):
    """Form in which a request gives the token; the value is how a shell writes it.

    All but the first must be refused.
    """

    EXACT = "Bearer $TOKEN"
    LOWER_SCHEME = "bearer $TOKEN"
    NO_SCHEME = "$TOKEN"
    TWO_BLANKS = "Bearer  $TOKEN"
    OTHER_CASE = "Bearer ${TOKEN~~}"
    SHORTENED = "Bearer ${TOKEN%?}"
    LENGTHENED = "Bearer ${TOKEN}x"

    def value_of(self, token: str) -> str:
        """Return the value of `Authorization` for a token."""
        scheme, _, _ = self.value.partition("$")
        if self is TokenForm.OTHER_CASE:
            other = token.swapcase()
            token = other if other != token else f"{token}x"
        elif self is TokenForm.SHORTENED:
            token = token[:-1]
        elif self is TokenForm.LENGTHENED:
            token += "x"
        return f"{scheme}{token}"

    def shell_text(self, variable: str) -> str:
        """Return the value as a shell computes it from an environment variable."""
        return self.value.replace("TOKEN", variable)


@attrs.frozen
class Send:
    """Send a request; the result is a `Reply`.

    The path is below the base URL and has the query; path and header lines are sent as they are.
    Host is added, and Content-Length for a body unless one of the lines is Content-Length or
    Transfer-Encoding.  An authorized request has the token too, which no report shows: in some
    form, as the first line or the last.  `pause_ms` is waited before the last byte of the body.
    """

    method: str
    path: str
    headers: _Headers = ()
    body: bytes | None = attrs.field(default=None, repr=False)
    authorized: bool = False
    token_form: TokenForm = TokenForm.EXACT
    token_first: bool = False
    pause_ms: int = 0


@attrs.frozen
class Reply:
    """A complete response.

    Attributes:
        headers: header lines as they arrived.
        body: the whole body; for HEAD, 204 and 304 any bytes that arrived after the head.
        sent_at: local time before the request was sent, ms since the epoch.
        received_at: local time after the response was complete, ms since the epoch.
        request: what was sent; None unless a run performed it.

    """

    status: int
    headers: _Headers
    body: bytes = attrs.field(repr=False)
    sent_at: int = 0
    received_at: int = 0
    request: Send | None = attrs.field(default=None, eq=False, repr=False)

    @property
    def target(self) -> str:
        """Return method, path and headers of the request, such as `GET /api/now`."""
        if self.request is None:
            return ""
        lines = ", ".join(
            f"{name}: {value}" for name, value in self.request.headers if name != "Content-Type"
        )
        start = f"{self.request.method} {self.request.path}"
        return shorten(f"{start} with {lines}" if lines else start, _LONGEST_TARGET)

    def lines(self, name: str) -> tuple[str, ...]:
        """Return the values of all lines of a header; the case of the name is ignored."""
        wanted = name.lower()
        return tuple(value for key, value in self.headers if key.lower() == wanted)

    def header(self, name: str) -> str | None:
        """Return the value of a header, its lines joined by `, `; None if it is absent."""
        lines = self.lines(name)
        return ", ".join(lines) if lines else None

    def json(self) -> Any:  # noqa: ANN401 - any JSON value
        """Return the value of the JSON body.

        Raises:
            CheckFailed: the body is not JSON text in UTF-8.

        """
        try:
            return codec.decode(self.body)
        except codec.JsonDepthError as error:
            raise self._failed(Part.TEXT, "JSON text", str(error)) from error
        except ValueError as error:
            fault = "an empty body"
            if self.body:
                fault = f"{describe_syntax_error(self.body)}, in {shorten(self.body, 80)}"
            raise self._failed(Part.TEXT, "JSON text", fault) from error

    def object(self) -> dict[str, Any]:
        """Return the value of the JSON body, which must be an object.

        Raises:
            CheckFailed: the body is anything else.

        """
        value = self.json()
        if not isinstance(value, dict):
            raise self._failed(Part.MEMBER, "a JSON object", json_text(value))
        return value

    def _failed(self, part: "Part", expected: str, actual: str) -> "CheckFailed":
        compared = Compared(part, "", expected, actual, self.request)
        return CheckFailed(f"{expected} of {self.target}".removesuffix(" of "), actual, compared)


@attrs.frozen
class Wait:
    """Wait; with a virtual clock no time passes."""

    milliseconds: int


@attrs.frozen
class ReadClock:
    """Read the local clock; the result is milliseconds since the epoch."""


Action = Send | Wait | ReadClock
Steps = Generator[Action, Any, None]
Finish = Generator[Action, Any, str]
"""Returns what a reader of the report must know."""


class Part(StrEnum):
    """The part of a response that an expectation compares."""

    STATUS = "status"
    HEADER = "header"
    TEXT = "text"
    """The bytes of the body, as JSON text for example."""
    MEMBER = "member"
    """A member of the JSON body, by its pointer."""
    VALUE = "value"
    """Anything else, by its name in the message."""


@attrs.frozen
class Compared:
    """Operands of a failed expectation; a report groups failures by them.

    Attributes:
        name: the name of a header, the JSON pointer of a member, or the name of a value.
        expected: what the rule allows, as JSON or as a phrase.
        actual: what came, as JSON or as text.
        request: the request of the response; None if it is about several.

    """

    part: Part
    name: str
    expected: str
    actual: str
    request: Send | None = None


class CheckFailed(Exception):
    """The deployment breaks a rule: what it allows, as a phrase, and what came instead.

    `rule` is the id of the rule that the step tests; empty for the first one of the check.
    """

    def __init__(
        self, expected: str, actual: str, compared: Compared | None = None, *, rule: str = ""
    ) -> None:
        super().__init__(f"expected {expected}; got {actual}")
        self.expected = expected
        self.actual = actual
        self.compared = compared or Compared(Part.VALUE, "", expected, actual)
        self.rule = rule


class Unchecked(Exception):
    """The check cannot decide, with the reason as a sentence.

    Attributes:
        inconclusive: whether an answer came that allows no decision, as with an uncertain clock;
            otherwise a precondition is missing and the check is skipped.
        compared: what another check finds wrong, and why this one cannot decide; None if there is
            no such fault.

    """

    def __init__(
        self, reason: str, *, inconclusive: bool = False, compared: Compared | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.inconclusive = inconclusive
        self.compared = compared


class OutsideProfile(Unchecked):
    """The check requests what is not part of the profile."""


class NoReply(Exception):
    """No complete response came, with the reason as its message; a check may catch it."""


class NotTestable(Exception):
    """The deployment cannot be tested at all, with the reason as its message."""


@attrs.frozen
class Check(Generic[Context]):
    """One check of a deployment.

    Attributes:
        id: the group and a name, such as `now.offline-body`.
        title: what the deployment must do, as a sentence.
        rules: ids of the rules that it verifies.
        writes: whether it replaces the present record.
        slow: whether it waits for deadlines, with a real clock for minutes.

    """

    id: str
    title: str
    rules: tuple[str, ...]
    steps: Callable[[Context], Steps] = attrs.field(repr=False)
    writes: bool = False
    slow: bool = False

    @property
    def group(self) -> str:
        """Return the part of the id before the first dot."""
        return self.id.partition(".")[0]


@attrs.frozen
class RuleText:
    """A rule of the contract, with its level (`must`, `should`, `may`).

    `is_own` says whether only a decision of this project states it, not the specification.
    """

    level: str
    text: str
    is_own: bool = False


@attrs.frozen
class Profile:
    """A part of the contract that a deployment may implement alone.

    Attributes:
        title: what it has, or what it leaves out, as a phrase.
        skip: checks and groups that are not part of it.
        outside: what the paths begin with that are not part of it, as a pattern; None for none.  A
            check that requests one is skipped.

    """

    title: str
    skip: tuple[str, ...] = ()
    outside: re.Pattern[str] | None = None


FULL: Final = "full"
"""Name of the profile that every suite has: the whole contract."""


@attrs.define
class Suite(Generic[Context]):
    """The checks of one product, in the order in which they run.

    Attributes:
        prepare: finds out what the checks need; raises `NotTestable`.  It is given the arguments of
            the run and may yield what a check yields.
        finish: what to send after checks that write, and the note for the report; None for nothing.
        rules: id of each rule of the contract to the rule.
        profiles: the parts of the contract by name; `full` is all of it.

    """

    product: str
    prepare: Callable[["Arguments"], Generator[Action, Any, Context]]
    finish: Callable[[Context], Finish] | None = None
    checks: list[Check[Context]] = attrs.field(factory=list)
    rules: Mapping[str, RuleText] = attrs.field(factory=dict)
    profiles: Mapping[str, Profile] = attrs.field(factory=lambda: {FULL: Profile("all of it")})

    def check(
        self,
        identifier: str,
        *rules: str,
        cases: Mapping[str, tuple[Any, ...]] | None = None,
        writes: bool = False,
        slow: bool = False,
    ) -> Callable[[Callable[..., Steps]], Callable[..., Steps]]:
        """Add a generator function as a check; the first line of its docstring is the title.

        With `cases`, name to further arguments, it is added for each case.  Then `{0}` in the
        identifier and in the title is the name, and `{1}` the first argument.
        """

        def add(steps: Callable[..., Steps]) -> Callable[..., Steps]:
            title = (steps.__doc__ or identifier).strip().splitlines()[0].rstrip(".")
            if cases is None:
                self.add(identifier, title, rules, steps, writes, slow)
                return steps
            for name, values in cases.items():
                texts = [_filled(text, (name, *values)) for text in (identifier, title)]
                of_case = partial(_run_case, steps, values)
                self.add(texts[0], texts[1], rules, of_case, writes, slow)
            return steps

        return add

    def add(
        self,
        identifier: str,
        title: str,
        rules: Iterable[str],
        steps: Callable[[Context], Steps],
        writes: bool = False,  # noqa: FBT001, FBT002 - as in `Check`
        slow: bool = False,  # noqa: FBT001, FBT002 - as in `Check`
    ) -> None:
        """Add a check.

        Raises:
            ValueError: another check has this id.

        """
        if any(check.id == identifier for check in self.checks):
            raise ValueError(f"two checks have the id {identifier!r}")
        unique = tuple(dict.fromkeys(rules))
        self.checks.append(Check(identifier, title, unique, steps, writes, slow))


def _filled(text: str, values: Iterable[object]) -> str:
    for index, value in enumerate(values):
        text = text.replace(f"{{{index}}}", str(value))
    return text


def _run_case(steps: Callable[..., Steps], values: tuple[Any, ...], context: object) -> Steps:
    yield from steps(context, *values)


@attrs.frozen
class Arguments:
    """Arguments of a run: what checks may do, and the part of the contract that is tested."""

    has_token: bool = False
    write: bool = False
    slow: bool = False
    profile: str = FULL


@contextmanager
def testing(rule: str) -> Iterator[None]:
    """Name the rule that a block of steps tests, unless a step of it names another."""
    try:
        yield
    except CheckFailed as failed:
        failed.rule = failed.rule or rule
        raise


@contextmanager
def dependent_on(check: str) -> Iterator[None]:
    """Leave a check undecided where a block finds a fault that another check, by id, is about."""
    try:
        yield
    except CheckFailed as failed:
        reason = f"see the check {check}: {failed}"
        raise Unchecked(reason, inconclusive=True, compared=failed.compared) from failed


def expect(condition: object, expected: str, actual: object, *, rule: str = "") -> None:
    """Raise CheckFailed with a phrase and a received value unless the condition is true."""
    if not condition:
        raise CheckFailed(expected, shorten(actual), rule=rule)


def expect_equal(name: str, actual: object, *allowed: object, rule: str = "") -> None:
    """Raise CheckFailed unless the value equals one of those allowed, in type too."""
    if any(type(actual) is type(value) and actual == value for value in allowed):
        return
    compared = Compared(Part.VALUE, name, _alternatives(allowed), shorten(actual))
    expected, actual_text = f"{name} {compared.expected}", f"{name} {compared.actual}"
    raise CheckFailed(expected, actual_text, compared, rule=rule)


def expect_status(reply: Reply, *allowed: int, rule: str = "") -> None:
    """Raise CheckFailed unless the response has one of some status codes."""
    if reply.status not in allowed:
        _fail(reply, Part.STATUS, "", _alternatives(allowed), str(reply.status), rule)


def expect_header(reply: Reply, name: str, *allowed: str | None, rule: str = "") -> None:
    """Raise CheckFailed unless a header has one of some values; None stands for no such header."""
    actual = reply.header(name)
    if actual not in allowed:
        shown = shorten("no such header" if actual is None else actual)
        texts = ("no such header" if value is None else value for value in allowed)
        _fail(reply, Part.HEADER, name, " or ".join(texts), shown, rule)


def expect_body(reply: Reply, *allowed: object, rule: str = "") -> None:
    """Raise CheckFailed unless the JSON body equals one of some values.

    The failure has the first member that differs from the first of these values.
    """
    value = reply.json()
    differences = [first_difference(form, value) for form in allowed]
    if differences[0] is not None and None not in differences:
        texts = json_text(differences[0].expected), json_text(differences[0].actual)
        _fail(reply, Part.MEMBER, differences[0].pointer, *texts, rule)


def expect_form(reply: Reply, findings: Iterable[Finding], *, rule: str = "") -> None:
    """Raise CheckFailed with the first of the findings about the JSON body, if there is one."""
    for finding in findings:
        actual_text = json_text(value_at(reply.json(), finding.path))
        _fail(reply, Part.MEMBER, finding.path, finding.message, actual_text, rule)


def _fail(reply: Reply, part: Part, name: str, expected: str, actual: str, rule: str) -> None:
    what = {Part.STATUS: "status", Part.MEMBER: name or "the body"}.get(part, name)
    place = f" of {reply.target}" if reply.target else ""
    compared = Compared(part, name, expected, actual, reply.request)
    raise CheckFailed(f"{what} {expected}{place}", f"{what} {actual}", compared, rule=rule)


def _alternatives(values: Iterable[object]) -> str:
    return " or ".join(map(shorten, values))
