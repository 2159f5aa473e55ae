"""Run a conformance kit: send its steps, and compare each answer with that of the reference engine.

A kit is data: sections of steps, each a request and the rule that it tests.  What is right is what
the model of the product answers at some instant between sending and receiving.

Invariant *some instant*: over HTTP the instants are widened by what is not known of the
deployment's clock, at least a round trip and a millisecond; a virtual clock is exact.
Invariant *only what is known*: after a write with a wrong answer, or where the model cannot know
the record, reads are not judged until the next write with a right answer.
Invariant *a store may lag*: an answer that is right for an earlier record is asked for again, for
at most 35 s; a run waits at most 240 s in all.
"""

import re
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count, pairwise
from typing import Any, Final

import attrs

from status_contracts.conditional import parse_http_date
from status_contracts.conformance.answers import Difference, compare, is_free, object_of
from status_contracts.conformance.http import Client, NoReply, Reply, Send, TimedOut
from status_contracts.instants import SECOND_MS, parse_utc

_MOST_WAITS: Final = 35
"""Waits of a second for a read to show the present record: caches of 30 s are allowed."""
_RUN_WAITS: Final = 240  # waits of a second for the store, in a whole run over HTTP
_MOST_TIMEOUTS: Final = 3
_MOST_KINDS: Final = 3
"""Kinds of difference of one place that have a cause each; of more the first one has."""
_MOST_STATES: Final = 64  # earlier records that a read may show
_MOST_LOOKS: Final = 20  # comparisons in vain of a path with earlier records
_MOST_INSTANTS: Final = 64  # for which an answer that states no time may be right
_TIME: Final = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")


class NotTestable(Exception):
    """The deployment cannot be tested at all, with the reason as the message."""


@attrs.frozen
class Step:
    """A request and the id of the rule that it tests.

    Attributes:
        title: what is special about the request.
        judge: what else is known of the right answer: generates the differences from it.

    """

    rule: str
    send: Send
    title: str = ""
    judge: Callable[[Reply], Iterable[Difference]] | None = None


Steps = Generator[Step | int, Any, None]
"""Yields steps and is sent their replies, `NO_REPLY` where there is none; or milliseconds to wait.

With a virtual clock, waiting takes no time.
"""
NO_REPLY: Final = Reply(0, ())
"""In place of the reply to a step that was left out, or that got none."""


UNKNOWN: Final = object()
"""The state of a deployment whose record is not known; reads of it are not judged."""


@attrs.frozen
class Section:
    """Steps about one subject, which replace the record (`writes`) or wait for minutes (`slow`)."""

    name: str
    steps: Callable[["Run"], Steps] = attrs.field(repr=False)
    writes: bool = False
    slow: bool = False


@attrs.frozen
class Kit:
    """The conformance kit of a product.

    Attributes:
        learn: yields requests and is sent their replies; returns the reference engine as a pure
            model of the deployment, and its state, None for an empty store.  Raises NotTestable.
            `model.answer(state, send, at)` returns the right answer at an instant, None if it is
            not known, and the state after it.
        rows: `tolerances`, what rules leave free.  `rules`: header in lower case, or pointer of a
            member, to the rule about it where that is not the rule of the step.  `profiles`: part
            of the contract to a pattern of the paths and sections outside of it.  `stated`: method
            to the member of an answer that states server time.  `delays`: ms by which times in
            answers lie before server time; none if no answer depends on the time.  `played_at`:
            pointer of the member with the time that an answer shows.

    """

    product: str
    rows: Mapping[str, Any]
    learn: Callable[["Run"], Generator[Any, Any, tuple[Any, Any]]]
    sections: Sequence[Section]


@attrs.define(eq=False)
class Cause:
    """Differences of one kind, which most likely have one cause.

    Attributes:
        section: where the first one was found, with its step, and a line about it.
        count: the number of answers that have it.
        rules: ids of the rules that it breaks.

    """

    section: str
    step: Step
    line: str
    count: int = 0
    rules: dict[str, None] = attrs.field(factory=dict)


@attrs.define(eq=False)
class Run:
    """A run of a kit against one deployment.

    Attributes:
        write: whether it may replace the record.
        slow: whether it waits for deadlines over HTTP.
        causes: place and kind of a difference to what is known of it.
        tested: rule to the number of answers.
        left_out: section to the reason why it was left out.
        lagging: answers that still showed an earlier record when no wait was left.
        stopped: why the run ended early; empty if it did not.
        model: the model of the deployment, from the first section on.

    """

    kit: Kit
    client: Client
    write: bool = False
    slow: bool = False
    profile: str = "full"
    causes: dict[tuple[str, str], Cause] = attrs.field(factory=dict, init=False)
    tested: Counter[str] = attrs.field(factory=Counter, init=False)
    left_out: dict[str, str] = attrs.field(factory=dict, init=False)
    lagging: int = attrs.field(default=0, init=False)
    stopped: str = attrs.field(default="", init=False)
    model: Any = attrs.field(default=None, init=False)
    _states: list[tuple[Any, int]] = attrs.field(factory=list, init=False)
    """States and the server time from which they held, the present one last."""
    _section: str = attrs.field(default="", init=False)
    _offset: tuple[int, int] = attrs.field(default=(-2_000, 2_000), init=False)
    """Bounds of the deployment's clock minus the local one, ms."""
    _is_stated: bool = attrs.field(default=False, init=False)
    """Whether times in bodies gave these bounds, and not a header or nothing."""
    _not_earlier: Counter[str] = attrs.field(factory=Counter, init=False)
    _waits: int = attrs.field(default=_RUN_WAITS, init=False)
    _shifts: dict[int, Difference] = attrs.field(factory=dict, init=False)
    """Wrong delays of what answers show, and the difference that told them."""
    _timeouts: int = attrs.field(default=0, init=False)

    def perform(self) -> Iterator[str]:
        """Learn what the model needs, run sections and yield their names; raise NotTestable."""
        try:
            self.model, state = self._perform(self.kit.learn(self))
        except NoReply as failed:
            raise NotTestable(str(failed)) from failed
        self._states = [*[(UNKNOWN, 0)] * self.write, (state, self.now())]
        for section in self.kit.sections:
            self._section = section.name
            is_slow = section.slow and not (self.slow or self.client.is_exact)
            reasons = {
                "the record would be replaced (give --write and --token-file)": section.writes
                and not self.write,
                "waiting takes minutes (give --slow)": is_slow,
                f"the profile is {self.profile}": self.is_outside(section.name),
                self.stopped: self.stopped,
            }
            reason = next((reason for reason in reasons if reasons[reason]), None)
            if reason is not None:
                self.left_out[section.name] = reason
                continue
            yield section.name
            with suppress(NoReply):
                self._perform(section.steps(self))

    @property
    def margin_ms(self) -> int:
        """The distance from a bound of time that decides, ms; 0 if the clock is exact."""
        low, high = self._offset
        return 0 if self.client.is_exact else 2 * (high - low) + 250

    def now(self) -> int:
        """Return the deployment's time, ms since the epoch."""
        return self.client.now() + sum(self._offset) // 2

    def _learn_time(self, send: Send, reply: Reply) -> None:
        """Narrow the bounds of the offset by the time that an answer states, else by its Date."""
        member = self.kit.rows.get("stated", {}).get(send.method)
        if member is None:
            return
        date = parse_http_date(reply.header("date") or "")
        if not (self._is_stated or date is None or reply.header("age")):  # not that of a cache
            latest = date + 2 * SECOND_MS  # it has no fraction, and may be a second old
            self._offset = date - reply.received_at - SECOND_MS, latest - reply.sent_at
        with suppress(ValueError):
            stated = parse_utc(str(object_of(reply).get(member)))
            low, high = self._offset if self._is_stated else (-stated, stated)
            low = max(low, stated - reply.received_at - 1)
            high = min(high, stated - reply.sent_at + 2)
            if low <= high:  # otherwise it contradicts the answers before
                self._offset, self._is_stated = (low, high), True

    def _instants(self, reply: Reply) -> Iterator[int]:
        """Generate the instants at which an answer may have been made, the likely ones first."""
        if self.client.is_exact or not self.kit.rows.get("delays"):
            yield reply.received_at
            return
        low, high = self._offset
        margin = max(high - low, reply.received_at - reply.sent_at) + 1
        earliest = reply.sent_at + (low + high) // 2 - margin
        latest = reply.received_at + (low + high) // 2 + margin
        stated = set()
        for text in set(_TIME.findall(reply.body[: 1 << 16])):
            with suppress(ValueError):
                stated |= {parse_utc(text.decode()) + delay for delay in self.kit.rows["delays"]}
        yield from sorted(instant for instant in stated if earliest <= instant <= latest)
        yield latest
        yield from range(earliest, latest, (latest - earliest) // _MOST_INSTANTS + 1)

    def _perform(self, steps: Generator[Any, Any, Any]) -> Any:  # noqa: ANN401 - what they return
        result: Reply | None = None  # which starts a generator
        while True:
            try:
                step = steps.send(result)
            except StopIteration as stop:
                return stop.value
            result = NO_REPLY
            if isinstance(step, int):
                self.client.wait(step)
            elif isinstance(step, Send):
                result = self._send(step)
            elif not self.is_outside(step.send.path):
                result = self._judge(step)

    def is_outside(self, name: str) -> bool:
        """Check whether a section or path is outside of the profile."""
        outside = self.kit.rows.get("profiles", {}).get(self.profile, "(?!)")
        return re.match(outside, name) is not None

    def _send(self, send: Send) -> Reply:
        try:
            reply = self.client.send(send)
        except NoReply as failed:
            self._timeouts = self._timeouts + 1 if isinstance(failed, TimedOut) else 0
            if self._timeouts == _MOST_TIMEOUTS:
                self.stopped = f"{_MOST_TIMEOUTS} requests in a row had {failed}"
            raise
        self._timeouts = 0
        if not self.client.is_exact:
            self._learn_time(send, reply)
        return reply

    def _judge(self, step: Step) -> Reply:
        """Send a request until its answer is no longer that of an earlier record; compare it."""
        state = self._states[-1][0]
        is_judged = state is not UNKNOWN or step.judge is not None
        if not is_judged and self.model.answer(state, step.send, self.now())[0] is None:
            return NO_REPLY
        self.tested[step.rule] += 1
        for waited in count():
            try:
                reply = self._send(step.send)
            except NoReply as failed:
                self._add(step, Difference("reply", "", "a response", str(failed)))
                if self.stopped:
                    raise
                return NO_REPLY
            wrong, at, after = self._compare(step, reply, state)
            if waited == _MOST_WAITS or not wrong or not self._shows_earlier(step, reply):
                break
            if not (self._waits or self.client.is_exact):
                self.lagging += 1
                return reply
            self._waits -= 1
            self.client.wait(SECOND_MS)
        for difference in self._explained(step, reply, wrong, at):
            self._add(step, difference, at)
        if step.send.method == "POST" and after is not state:
            self._states = [*self._states[-_MOST_STATES:], (after, at)]
        return reply

    def _add(self, step: Step, difference: Difference, at: int = 0) -> None:
        """Add a difference to those of its kind; a place with many kinds has few causes."""
        rule = difference.rule or self.kit.rows.get("rules", {}).get(difference.name, step.rule)
        place, line = f"{difference.part} {difference.place}", difference.text(at)
        method, path = step.send.method, step.send.path.partition("?")[0]
        if difference.part in {"status", "reply", "body"}:
            place = f"{difference.part} {method} {path} {rule if method == 'POST' else ''}"
            line = f"{method} {path}: {line}"
        kinds = [kind for of, kind in self.causes if of == place]
        kind = difference.kind if difference.kind in kinds or len(kinds) < _MOST_KINDS else kinds[0]
        cause = self.causes.setdefault((place, kind), Cause(self._section, step, line))
        cause.count += 1
        cause.rules[rule] = None

    def _compare(
        self, step: Step, reply: Reply, state: object
    ) -> tuple[list[Difference], int, object]:
        """Compare an answer with the right ones of a state.

        Return how it differs from the nearest, at which instant that is right, and the state after
        it, which is not known if the status is wrong.
        """
        answers = list[tuple[list[Difference], int, object]]()
        for at in self._instants(reply):
            right, after = self.model.answer(state, step.send, at)
            wrong = [] if right is None else self._not_free(step.send, compare(right, reply))
            is_kept = right is None or right.status == reply.status
            answers.append((wrong, at, after if is_kept else UNKNOWN))
            if not wrong:
                break
        best = min(answers, key=lambda answer: len(answer[0]))
        if step.judge is not None:
            judged = self._not_free(step.send, step.judge(reply))
            best[0].extend(new for new in judged if new not in best[0])
        return best

    def _not_free(self, send: Send, parts: Iterable[Difference]) -> list[Difference]:
        rows = self.kit.rows["tolerances"]
        return [part for part in parts if not any(is_free(row, send, part) for row in rows)]

    def _explained(
        self, step: Step, reply: Reply, wrong: list[Difference], at: int
    ) -> list[Difference]:
        """Return the differences, or the one wrong delay that explains all of them."""
        shifts, played_at = dict(self._shifts), self.kit.rows.get("played_at")
        for difference in wrong:
            if difference.name == played_at and difference.instants is not None:
                shifts[difference.instants[1] - difference.instants[0]] = difference
        for shift, cause in shifts.items() if wrong else ():
            right = self.model.answer(self._states[-1][0], step.send, at + shift)[0]
            if right is not None and not self._not_free(step.send, compare(right, reply)):
                return [self._shifts.setdefault(shift, cause)]
        return wrong

    def _shows_earlier(self, step: Step, reply: Reply) -> bool:
        """Check whether an answer is right for a record that was replaced a short time ago."""
        path, is_read = step.send.path, step.send.method != "POST"
        is_known = self._states[-1][0] is not UNKNOWN
        if not (is_read and is_known) or self._not_earlier[path] >= _MOST_LOOKS:
            return False
        since = self.now() - _MOST_WAITS * SECOND_MS
        earlier = (state for (state, _), (_, at) in pairwise(self._states) if at >= since)
        if any(state is UNKNOWN or not self._compare(step, reply, state)[0] for state in earlier):
            return True
        self._not_earlier[path] += 1
        return False
