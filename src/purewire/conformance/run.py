"""Run the checks of a suite with a function that performs their effects."""

from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any, TypeVar, cast

from purewire.conformance.checks import (
    Arguments,
    Check,
    CheckFailed,
    Context,
    Effect,
    NoReply,
    NotJudged,
    ReadClock,
    Reply,
    Send,
    Suite,
    Unchecked,
)
from purewire.conformance.results import Exchange, Outcome, Report, Result, judge_rules

__all__ = ["NoReply", "Perform", "run_check", "run_suite", "select"]

Value = TypeVar("Value")
Perform = Callable[[Effect], object]
"""Performs an effect: returns a `Reply` for `Send`, ms since the epoch for `ReadClock`, None for
`Wait`; raises `NoReply`."""


def select(
    checks: Iterable[Check[Context]], only: Iterable[str] = (), skip: Iterable[str] = ()
) -> list[Check[Context]]:
    """Return the checks of some groups, ids or rules, without those of others.

    Raises:
        ValueError: a name is neither a group, nor the id of a check, nor a rule of one.

    """
    checks, only, skip = list(checks), list(only), list(skip)
    known = {name for check in checks for name in _names(check)}
    unknown = [name for name in (*only, *skip) if name not in known]
    if unknown:
        raise ValueError(f"no check, group or rule has the name {unknown[0]!r}")
    return [
        check
        for check in checks
        if (not only or _names(check) & {*only}) and not _names(check) & {*skip}
    ]


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
        url: what is judged, for the report.
        rules: id of each rule to its level and text.
        progress: called with each result.

    Raises:
        NotJudged: the deployment cannot be judged.

    """
    started_at = _clock(perform)
    try:
        context = _complete(suite.prepare(arguments), perform, [])
    except (CheckFailed, NoReply, Unchecked) as error:
        raise NotJudged(str(error)) from error
    results: list[Result] = []
    written = False
    for check in checks:
        reason = _left_out(check, arguments)
        result = (
            Result(check, Outcome.SKIPPED, reason=reason)
            if reason
            else run_check(check, context, perform)
        )
        written = written or (check.writes and not reason)
        results.append(result)
        progress(result)
    notes: tuple[str, ...] = ()
    if written and suite.finish is not None:
        notes = _finish(suite.finish(context), perform)
    return Report(
        product=suite.product,
        url=url,
        started_at=started_at,
        finished_at=_clock(perform),
        results=tuple(results),
        rules=judge_rules(rules, suite.checks, results),
        notes=notes,
    )


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
        outcome, texts = Outcome.ERROR, {"reason": f"no response: {missing}"}
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


def _names(check: Check[Any]) -> set[str]:
    return {check.id, check.group, *check.rules}


def _clock(perform: Perform) -> int:
    now = perform(ReadClock())
    return now if isinstance(now, int) else 0
