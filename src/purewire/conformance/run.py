"""Run the checks of a suite with a function that performs their steps, and report the results."""

from collections.abc import Callable, Generator, Iterable, Sequence
from difflib import get_close_matches
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import Any, Final, Generic, TypeVar, cast

import attrs

from purewire.conformance.checks import (
    FULL,
    Action,
    Arguments,
    Check,
    CheckFailed,
    Compared,
    Context,
    NoReply,
    NotTestable,
    OutsideProfile,
    Profile,
    ReadClock,
    Reply,
    RuleText,
    Send,
    Suite,
    Unchecked,
)

_LONGEST_RUN_MS: Final = 300_000
"""After so long no further check is begun, unless checks may wait for deadlines."""
_MAX_SILENT_CHECKS: Final = 5
"""After so many checks in a row without a response no further check is begun."""
_NO_RESPONSE: Final = "no response: "
_UNDECIDED_SHARE: Final = 10
"""Of the musts that were checked, one of so many may be left undecided."""

Value = TypeVar("Value")
Perform = Callable[[Action], object]
"""Performs an action: returns a `Reply` for `Send`, ms since the epoch for `ReadClock`, None for
`Wait`; raises `NoReply`."""


class Outcome(StrEnum):
    """The end of a check."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """A precondition is missing: an option, a token, data."""
    INCONCLUSIVE = "inconclusive"
    """The responses allow no decision."""
    ERROR = "error"
    """No response, or a fault of the kit; the result says nothing about the rule."""


class Verdict(StrEnum):
    """The result of a run for a rule: verified if its checks were made and all passed."""

    VERIFIED = "verified"
    BROKEN = "broken"
    UNVERIFIED = "unverified"


class ExitCode:
    """The exit codes of a conformance command."""

    CONFORMS: Final = 0
    FAILS: Final = 1
    USAGE: Final = 2
    NOT_TESTED: Final = 3
    UNVERIFIED: Final = 4
    """No check failed, and of the musts that were checked more than a tenth were not decided; with
    `--strict`, any must was left unverified."""


@attrs.frozen
class RoundTrip:
    """A request and its response; the response is None if none came, with the reason."""

    request: Send
    reply: Reply | None
    error: str = ""


@attrs.frozen
class Result:
    """The result of one check.

    A failed one has what was expected, what came and the rule of the step; an undecided one has the
    reason.

    Attributes:
        compared: what the failed expectation compared, also where another check fails for it and
            this one is not decided.
        is_outside: whether it was skipped because it is not part of the profile.

    """

    check: Check[Any]
    outcome: Outcome
    expected: str = ""
    actual: str = ""
    reason: str = ""
    rule: str = ""
    compared: Compared | None = None
    is_outside: bool = False
    round_trips: tuple[RoundTrip, ...] = attrs.field(default=(), repr=False)
    milliseconds: int = 0


@attrs.frozen
class RuleVerdict:
    """The result of a run for one rule, with the checks that cite it.

    `is_undecided` says whether a check of it was made and allowed no decision, and none failed.
    """

    id: str
    rule: RuleText
    verdict: Verdict
    checks: tuple[str, ...]
    is_undecided: bool = False


@attrs.frozen
class SuiteReport:
    """The report of a run.

    Attributes:
        started_at: ms since the epoch, local clock; also `finished_at`.
        results: of all checks that were selected, in order.
        rules: what the run shows about each rule that a check of the suite can verify.
        notes: what a reader must know: what was overwritten, when it expires.

    """

    product: str
    url: str
    started_at: int
    finished_at: int
    results: tuple[Result, ...]
    rules: tuple[RuleVerdict, ...]
    notes: tuple[str, ...] = ()
    profile: str = FULL

    def count(self, outcome: Outcome) -> int:
        """Return the number of checks with an outcome."""
        return sum(result.outcome is outcome for result in self.results)

    def undecided(self) -> list[Result]:
        """Return what is not decided, but for checks that depend on a fault of another one."""
        outcomes = {Outcome.INCONCLUSIVE, Outcome.ERROR}
        return [
            result for result in self.results if result.outcome in outcomes and not result.compared
        ]

    def musts(self) -> tuple[int, int]:
        """Return how many rules of level must were verified, and how many there are."""
        musts = self._musts()
        return sum(verdict.verdict is Verdict.VERIFIED for verdict in musts), len(musts)

    def is_mostly_decided(self) -> bool:
        """Check whether at most a tenth of the musts that were checked were left undecided."""
        musts = self._musts()
        undecided = sum(verdict.is_undecided for verdict in musts)
        checked = undecided + sum(verdict.verdict is not Verdict.UNVERIFIED for verdict in musts)
        return undecided * _UNDECIDED_SHARE <= checked

    def _musts(self) -> list[RuleVerdict]:
        return [verdict for verdict in self.rules if verdict.rule.level == "must"]

    def exit_code(self, *, strict: bool = False) -> int:
        """Return the exit code of the run."""
        if self.count(Outcome.FAILED):
            return ExitCode.FAILS
        if self.count(Outcome.ERROR):
            return ExitCode.NOT_TESTED
        verified, total = self.musts()
        is_left = (strict and verified < total) or not self.is_mostly_decided()
        return ExitCode.UNVERIFIED if is_left else ExitCode.CONFORMS


def _verdicts(suite: Suite[Any], results: Sequence[Result]) -> tuple[RuleVerdict, ...]:
    """Return the verdict on each rule that a check of the profile can verify, or that is broken."""
    outcomes: dict[str, set[Outcome]] = {}
    cited: dict[str, list[str]] = {}
    outside = {result.check.id for result in results if result.is_outside}
    for check in suite.checks:
        if check.id not in outside:
            for rule in check.rules:
                cited.setdefault(rule, []).append(check.id)
    for result in results:
        for rule in result.check.rules:
            outcomes.setdefault(rule, set()).add(result.outcome)
    broken = {result.rule for result in results if result.outcome is Outcome.FAILED}
    verdicts = []
    for rule, text in suite.rules.items():
        if rule in cited or rule in broken:
            made = outcomes.get(rule, set()) - {Outcome.SKIPPED}
            verdict = Verdict.VERIFIED if made == {Outcome.PASSED} else Verdict.UNVERIFIED
            is_undecided = bool(made & {Outcome.INCONCLUSIVE, Outcome.ERROR})
            if rule in broken:
                verdict, is_undecided = Verdict.BROKEN, False
            checks = tuple(cited.get(rule, ()))
            verdicts.append(RuleVerdict(rule, text, verdict, checks, is_undecided))
    return tuple(verdicts)


def select(
    checks: Sequence[Check[Context]], only: Iterable[str] = (), skip: Iterable[str] = ()
) -> list[Check[Context]]:
    """Return the checks of some names, without those of others.

    A name is the id of a check (`now.offline`), its group (`now`), a rule (`DS-NOW-01`) or the
    group of a rule (`DS-NOW`).

    Raises:
        ValueError: no check has this name.

    """
    names = {check.id: _names(check) for check in checks}
    chosen, left_out = {*only}, {*skip}
    known = set().union(*names.values())
    for name in sorted((chosen | left_out) - known):
        similar = get_close_matches(name, sorted(known), 3)
        groups = ", ".join(dict.fromkeys(check.group for check in checks))
        hint = f"; similar: {', '.join(similar)}" if similar else f"; groups: {groups}"
        raise ValueError(f"no check, group or rule has the name {name!r}{hint}")
    return [
        check
        for check in checks
        if (not chosen or names[check.id] & chosen) and not names[check.id] & left_out
    ]


def _names(check: Check[Any]) -> set[str]:
    groups = {rule.rpartition("-")[0] for rule in check.rules}
    return {check.id, check.group, *check.rules, *groups}


class Run(Generic[Context]):
    """A run of a suite, check by check."""

    def __init__(
        self, suite: Suite[Context], perform: Perform, arguments: Arguments, url: str
    ) -> None:
        self.suite = suite
        self._perform, self._arguments, self._url = perform, arguments, url
        self._profile = suite.profiles[arguments.profile]
        if self._profile.outside is not None:
            self._perform = partial(_perform_inside, arguments.profile, self._profile, perform)
        self._started_at = _clock(perform)
        self._results: list[Result] = []
        self._context: list[Context] = []
        self._has_written = False
        self._notes: tuple[str, ...] | None = None

    def prepare(self) -> Context:
        """Find out what the checks need, once; return the deployment as the checks see it.

        Raises:
            NotTestable: the deployment cannot be tested.

        """
        if not self._context:
            steps = self.suite.prepare(self._arguments)
            try:
                self._context.append(_complete(steps, self._perform, []))
            except (CheckFailed, NoReply, Unchecked) as error:
                raise NotTestable(str(error)) from error
        return self._context[0]

    def run(self, check: Check[Context]) -> Result:
        """Run a check, or skip it with the option that is missing as its reason.

        Raises:
            NotTestable: the deployment cannot be tested.

        """
        context = self.prepare()
        reason = _left_out(check, self._arguments) or self._reason_to_end()
        if {check.id, check.group} & {*self._profile.skip}:
            reason = _outside(self._arguments.profile)
            result = Result(check, Outcome.SKIPPED, reason=reason, is_outside=True)
        elif reason:
            result = Result(check, Outcome.SKIPPED, reason=reason)
        else:
            self._has_written |= check.writes
            result = run_check(check, context, self._perform)
        self._results.append(result)
        return result

    def _reason_to_end(self) -> str:
        """Return why no further check is begun, or nothing."""
        elapsed = _clock(self._perform) - self._started_at
        if elapsed >= _LONGEST_RUN_MS and not self._arguments.slow:
            return f"the run has taken {_LONGEST_RUN_MS // 1000} s: select checks with --only"
        ran = (result for result in reversed(self._results) if result.outcome != Outcome.SKIPPED)
        last = [result.reason for result in islice(ran, _MAX_SILENT_CHECKS)]
        is_silent = [reason.startswith(_NO_RESPONSE) for reason in last]
        if sum(is_silent) == _MAX_SILENT_CHECKS:
            return f"{_MAX_SILENT_CHECKS} checks in a row got no response"
        return ""

    @property
    def has_results(self) -> bool:
        """Check whether a check has run or was skipped."""
        return bool(self._results)

    def finish(self) -> SuiteReport:
        """Replace what checks have written by a last record, and return the report."""
        if self._has_written and self.suite.finish and self._notes is None:
            try:
                note = _complete(self.suite.finish(self._context[0]), self._perform, [])
            except (CheckFailed, NoReply, Unchecked) as error:
                note = f"The last record could not be written: {error}"
            self._notes = (note,) if note else ()
        return self.report()

    def report(self) -> SuiteReport:
        """Return the report of the checks that ran so far."""
        return SuiteReport(
            product=self.suite.product,
            url=self._url,
            started_at=self._started_at,
            finished_at=_clock(self._perform),
            results=tuple(self._results),
            rules=_verdicts(self.suite, self._results),
            notes=self._notes or (),
            profile=self._arguments.profile,
        )


def run_suite(
    suite: Suite[Context],
    checks: Iterable[Check[Context]],
    perform: Perform,
    arguments: Arguments,
    *,
    url: str,
    progress: Callable[[Result], object] = lambda _: None,
) -> SuiteReport:
    """Run some checks of a suite and return the report; `progress` is called with each result.

    Raises:
        NotTestable: the deployment cannot be tested.

    """
    checks = list(checks)
    if not any(check.writes for check in checks):
        arguments = attrs.evolve(arguments, write=False)
    run = Run(suite, perform, arguments, url)
    run.prepare()
    try:
        for check in checks:
            progress(run.run(check))
    finally:
        report = run.finish()
    return report


def run_check(check: Check[Context], context: Context, perform: Perform) -> Result:
    """Run one check."""
    round_trips: list[RoundTrip] = []
    started = _clock(perform)
    outcome, texts = Outcome.PASSED, dict[str, str]()
    compared: Compared | None = None
    is_outside = False
    try:
        _complete(check.steps(context), perform, round_trips)
    except CheckFailed as failed:
        outcome = Outcome.FAILED
        rule = failed.rule or next(iter(check.rules), "")
        texts = {"expected": failed.expected, "actual": failed.actual, "rule": rule}
        compared = failed.compared
    except Unchecked as unchecked:
        outcome = Outcome.INCONCLUSIVE if unchecked.inconclusive else Outcome.SKIPPED
        texts, compared = {"reason": unchecked.reason}, unchecked.compared
        is_outside = isinstance(unchecked, OutsideProfile)
    except NoReply as missing:
        outcome, texts = Outcome.ERROR, {"reason": f"{_NO_RESPONSE}{missing}"}
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # The response has another form, which another check is about.
        reason = f"the check could not read the response: {type(error).__name__}: {error}"
        outcome, texts = Outcome.INCONCLUSIVE, {"reason": reason}
    return Result(
        check,
        outcome,
        compared=compared,
        is_outside=is_outside,
        round_trips=tuple(round_trips),
        milliseconds=_clock(perform) - started,
        **texts,
    )


def _complete(
    steps: Generator[Action, Any, Value], perform: Perform, round_trips: list[RoundTrip]
) -> Value:
    try:
        action = next(steps)
        while True:
            try:
                result = _perform(action, perform, round_trips)
            except NoReply as missing:
                action = steps.throw(missing)
            else:
                action = steps.send(result)
    except StopIteration as stop:
        value: Value = stop.value
        return value
    finally:
        steps.close()


def _perform(action: Action, perform: Perform, round_trips: list[RoundTrip]) -> object:
    if not isinstance(action, Send):
        return perform(action)
    try:
        reply = attrs.evolve(cast("Reply", perform(action)), request=action)
    except NoReply as error:
        round_trips.append(RoundTrip(action, None, str(error)))
        raise
    round_trips.append(RoundTrip(action, reply))
    return reply


def _perform_inside(name: str, profile: Profile, perform: Perform, action: Action) -> object:
    """Perform an action unless it is outside of a profile."""
    if isinstance(action, Send) and profile.outside and profile.outside.match(action.path):
        raise OutsideProfile(_outside(name))
    return perform(action)


def _outside(profile: str) -> str:
    return f"it is not part of the profile {profile}"


def _left_out(check: Check[Any], arguments: Arguments) -> str:
    if check.writes and not arguments.write:
        return "it replaces the present record: give --write"
    if check.writes and not arguments.has_token:
        return "it needs the token"
    if check.slow and not arguments.slow:
        return "it waits for deadlines: give --slow"
    return ""


def _clock(perform: Perform) -> int:
    now = perform(ReadClock())
    return now if isinstance(now, int) else 0
