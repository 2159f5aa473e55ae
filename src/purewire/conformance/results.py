"""Results of checks, and the report of a run."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

import attrs

from purewire.conformance.checks import Check, Reply, Send


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
    """The result of a run for a rule."""

    VERIFIED = "verified"
    """At least one check of it was made, and all that were made passed."""
    BROKEN = "broken"
    UNVERIFIED = "unverified"


class ExitCode:
    """The exit codes of a conformance command."""

    CONFORMS: Final = 0
    FAILS: Final = 1
    USAGE: Final = 2
    NOT_TESTED: Final = 3
    UNVERIFIED: Final = 4
    """Only with `--strict`: no check failed, and a must was left unverified."""


@attrs.frozen
class Exchange:
    """A request and its response; the response is None if none came, with the reason."""

    request: Send
    reply: Reply | None
    error: str = ""


@attrs.frozen
class Result:
    """The result of one check.

    Attributes:
        check: the check.
        outcome: how it ended.
        expected: what the rule allows; empty unless it failed.
        actual: what came; empty unless it failed.
        reason: why it was not decided; empty if it passed or failed.
        exchanges: all requests of the check, in order.
        milliseconds: how long it took.

    """

    check: Check[Any]
    outcome: Outcome
    expected: str = ""
    actual: str = ""
    reason: str = ""
    exchanges: tuple[Exchange, ...] = attrs.field(default=(), repr=False)
    milliseconds: int = 0


@attrs.frozen
class RuleVerdict:
    """The result of a run for one rule: its id, level (`must`, `should`), text and verdict."""

    id: str
    level: str
    text: str
    verdict: Verdict
    checks: tuple[str, ...]


@attrs.frozen
class Report:
    """The report of a run.

    Attributes:
        product: the name of the product.
        url: what was tested.
        started_at: ms since the epoch, local clock.
        finished_at: ms since the epoch, local clock.
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

    def count(self, outcome: Outcome) -> int:
        """Return the number of checks with an outcome."""
        return sum(result.outcome is outcome for result in self.results)

    def musts(self) -> tuple[int, int]:
        """Return how many rules of level must were verified, and how many there are."""
        musts = [rule for rule in self.rules if rule.level == "must"]
        return sum(rule.verdict is Verdict.VERIFIED for rule in musts), len(musts)

    def exit_code(self, *, strict: bool = False) -> int:
        """Return the exit code of the run."""
        if self.count(Outcome.FAILED):
            return ExitCode.FAILS
        if self.count(Outcome.ERROR):
            return ExitCode.NOT_TESTED
        verified, total = self.musts()
        return ExitCode.UNVERIFIED if strict and verified < total else ExitCode.CONFORMS


def rule_verdicts(
    rules: Mapping[str, tuple[str, str]],
    checks: Sequence[Check[Any]],
    results: Sequence[Result],
) -> tuple[RuleVerdict, ...]:
    """Return the verdict on each rule that a check of the suite can verify.

    Args:
        rules: id to level and text.
        checks: all checks of the suite, also those that were not selected.
        results: of those that ran.

    """
    outcomes: dict[str, list[Outcome]] = {}
    cited: dict[str, list[str]] = {}
    for check in checks:
        for rule in check.rules:
            cited.setdefault(rule, []).append(check.id)
    for result in results:
        for rule in result.check.rules:
            outcomes.setdefault(rule, []).append(result.outcome)
    return tuple(
        RuleVerdict(rule, *rules[rule], _verdict(outcomes.get(rule, ())), tuple(cited[rule]))
        for rule in rules
        if rule in cited
    )


def _verdict(outcomes: Sequence[Outcome]) -> Verdict:
    made = {*outcomes} - {Outcome.SKIPPED}
    if Outcome.FAILED in made:
        return Verdict.BROKEN
    return Verdict.VERIFIED if made == {Outcome.PASSED} else Verdict.UNVERIFIED
