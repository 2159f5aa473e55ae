"""Run the checks of a suite with a function that performs their effects."""

from collections.abc import Callable, Generator, Iterable, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Any, Final, Generic, TypeVar, cast

import attrs

from purewire.conformance.checks import (
    Arguments,
    Check,
    CheckFailed,
    Context,
    Effect,
    NoReply,
    NotTestable,
    ReadClock,
    Reply,
    Send,
    Suite,
    Unchecked,
)
from purewire.conformance.results import Exchange, Outcome, Report, Result, rule_verdicts

__all__ = ["NoReply", "Perform", "Run", "run_check", "run_suite", "select"]

_LONGEST_RUN_MS: Final = 300_000
"""After so long no further check is begun, unless checks may wait for deadlines."""
_MAX_SILENT_CHECKS: Final = 5
"""After so many checks in a row without a response no further check is begun."""

_NO_RESPONSE: Final = "no response: "
Value = TypeVar("Value")
Perform = Callable[[Effect], object]
"""Performs an effect: returns a `Reply` for `Send`, ms since the epoch for `ReadClock`, None for
`Wait`; raises `NoReply`."""


def select(
    checks: Iterable[Check[Context]], only: Iterable[str] = (), skip: Iterable[str] = ()
) -> list[Check[Context]]:
    """Return the checks of some names, without those of others.

    A name is the id of a check (`now.offline`), its group (`now`), a rule (`DS-NOW-01`) or the
    group of a rule (`DS-NOW`).

    Raises:
        ValueError: no check has this name.

    """
    checks, only, skip = list(checks), list(only), list(skip)
    known = {name for check in checks for name in _names(check)}
    unknown = [name for name in (*only, *skip) if name not in known]
    if unknown:
        raise ValueError(_unknown_name(unknown[0], known))
    return [
        check
        for check in checks
        if (not only or _names(check) & {*only}) and not _names(check) & {*skip}
    ]


class Run(Generic[Context]):
    """A run of a suite, check by check.

    Args:
        suite: the suite.
        perform: performs the effects.
        arguments: how the suite is run.
        url: what is tested, for the report.
        rules: id of each rule to its level and text.

    """

    def __init__(
        self,
        suite: Suite[Context],
        perform: Perform,
        arguments: Arguments,
        *,
        url: str,
        rules: Mapping[str, tuple[str, str]],
    ) -> None:
        self.suite = suite
        self._perform, self._arguments, self._url, self._rules = perform, arguments, url, rules
        self._started_at = _clock(perform)
        self._deadline = None if arguments.slow else self._started_at + _LONGEST_RUN_MS
        self._results: list[Result] = []
        self._context: list[Context] = []
        self._is_finished = False
        self._notes: tuple[str, ...] = ()

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
        reason = _left_out(check, self._arguments) or _at_end(
            self._results, _clock(self._perform), self._deadline
        )
        if reason:
            result = Result(check, Outcome.SKIPPED, reason=reason)
        else:
            result = run_check(check, context, self._perform)
        self._results.append(result)
        return result

    @property
    def has_results(self) -> bool:
        """Check whether a check has run or was skipped."""
        return bool(self._results)

    def finish(self) -> Report:
        """Replace what checks have written by a last record, and return the report."""
        may_write = self._arguments.write and self._arguments.has_token
        if may_write and self._context and self.suite.finish and not self._is_finished:
            self._is_finished = True
            self._notes = _finish(self.suite.finish(self._context[0]), self._perform)
        return self.report()

    def report(self) -> Report:
        """Return the report of the checks that ran so far."""
        return Report(
            product=self.suite.product,
            url=self._url,
            started_at=self._started_at,
            finished_at=_clock(self._perform),
            results=tuple(self._results),
            rules=rule_verdicts(self._rules, self.suite.checks, self._results),
            notes=self._notes,
        )


def run_suite(  # noqa: PLR0913 - what a run needs
    suite: Suite[Context],
    checks: Iterable[Check[Context]],
    perform: Perform,
    arguments: Arguments,
    *,
    url: str,
    rules: Mapping[str, tuple[str, str]],
    progress: Callable[[Result], object] = lambda _: None,
) -> Report:
    """Run checks and return the report.

    Args:
        suite: the suite.
        checks: those to run, from `select`.
        perform: performs the effects.
        arguments: how the suite is run.
        url: what is tested, for the report.
        rules: id of each rule to its level and text.
        progress: called with each result.

    Raises:
        NotTestable: the deployment cannot be tested.

    """
    checks = list(checks)
    if not any(check.writes for check in checks):
        arguments = attrs.evolve(arguments, write=False)
    run = Run(suite, perform, arguments, url=url, rules=rules)
    run.prepare()
    try:
        for check in checks:
            progress(run.run(check))
    finally:
        report = run.finish()
    return report


def run_check(check: Check[Context], context: Context, perform: Perform) -> Result:
    """Run one check."""
    exchanges: list[Exchange] = []
    started = _clock(perform)
    outcome, texts = Outcome.PASSED, {}
    try:
        _complete(check.steps(context), perform, exchanges)
    except CheckFailed as failed:
        outcome, texts = Outcome.FAILED, {"expected": failed.expected, "actual": failed.actual}
    except Unchecked as unchecked:
        outcome = Outcome.INCONCLUSIVE if unchecked.inconclusive else Outcome.SKIPPED
        texts = {"reason": unchecked.reason}
    except NoReply as missing:
        outcome, texts = Outcome.ERROR, {"reason": f"{_NO_RESPONSE}{missing}"}
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # The check expected a response of another form and did not verify it first.
        reason = f"the check could not read the response: {type(error).__name__}: {error}"
        outcome, texts = Outcome.ERROR, {"reason": reason}
    return Result(
        check,
        outcome,
        exchanges=tuple(exchanges),
        milliseconds=_clock(perform) - started,
        **texts,
    )


def _complete(
    steps: Generator[Effect, Any, Value], perform: Perform, exchanges: list[Exchange]
) -> Value:
    try:
        effect = next(steps)
        while True:
            try:
                result = _perform(effect, perform, exchanges)
            except NoReply as missing:
                effect = steps.throw(missing)
            else:
                effect = steps.send(result)
    except StopIteration as stop:
        value: Value = stop.value
        return value
    finally:
        steps.close()


def _perform(effect: Effect, perform: Perform, exchanges: list[Exchange]) -> object:
    if not isinstance(effect, Send):
        return perform(effect)
    try:
        reply = cast("Reply", perform(effect))
    except NoReply as error:
        exchanges.append(Exchange(effect, None, str(error)))
        raise
    exchanges.append(Exchange(effect, reply))
    return reply


def _finish(steps: Generator[Effect, Any, object], perform: Perform) -> tuple[str, ...]:
    try:
        note = _complete(steps, perform, [])
    except (CheckFailed, NoReply, Unchecked) as error:
        return (f"The last record could not be written: {error}",)
    return (str(note),) if note else ()


def _left_out(check: Check[Any], arguments: Arguments) -> str:
    if check.writes and not arguments.write:
        return "it replaces the present record: give --write"
    if check.writes and not arguments.has_token:
        return "it needs the token"
    if check.slow and not arguments.slow:
        return "it waits for deadlines: give --slow"
    return ""


def _unknown_name(name: str, known: set[str]) -> str:
    similar = get_close_matches(name, sorted(known), 3)
    hint = f"; similar: {', '.join(similar)}" if similar else ""
    return f"no check, group or rule has the name {name!r}{hint}"


def _at_end(results: list[Result], now: int, deadline: int | None) -> str:
    """Return why no further check is begun, or nothing."""
    if deadline is not None and now >= deadline:
        return f"the run has taken {_LONGEST_RUN_MS // 1000} s: select checks with --only"
    ran = (result for result in reversed(results) if result.outcome is not Outcome.SKIPPED)
    last = [result.reason for result in islice(ran, _MAX_SILENT_CHECKS)]
    silent = [reason for reason in last if reason.startswith(_NO_RESPONSE)]
    if len(silent) == _MAX_SILENT_CHECKS:
        return f"{_MAX_SILENT_CHECKS} checks in a row got no response"
    return ""


def _names(check: Check[Any]) -> set[str]:
    groups = {rule.rpartition("-")[0] for rule in check.rules}
    return {check.id, check.group, *check.rules, *groups}


def _clock(perform: Perform) -> int:
    now = perform(ReadClock())
    return now if isinstance(now, int) else 0
