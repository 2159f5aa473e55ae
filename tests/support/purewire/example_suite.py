"""A suite of conformance checks made for tests, and a deployment that it is run on."""

from collections.abc import Callable

from purewire.conformance.checks import (
    Arguments,
    Finish,
    NoReply,
    ReadClock,
    Reply,
    RuleText,
    Send,
    Steps,
    Suite,
    Wait,
    expect,
    expect_status,
)
from purewire.conformance.run import SuiteReport, run_suite

RULES = {
    "XX-A-01": RuleText("must", "The first rule."),
    "XX-A-02": RuleText("must", "The second rule.", is_own=True),
    "XX-B-01": RuleText("should", "A recommendation."),
    "XX-C-01": RuleText("must", "No check cites this one."),
}


EVERYTHING = Arguments(has_token=True, write=True, slow=True)


class Deployment:
    """Performs effects: a reply for each path, and a clock that waiting advances."""

    def __init__(self, replies: dict[str, Reply | str]) -> None:
        self.replies = replies
        self.now = 1_000_000
        self.sent: list[Send] = []

    def __call__(self, effect: object) -> object:
        if isinstance(effect, Wait):
            self.now += effect.milliseconds
        if not isinstance(effect, Send):
            return self.now if isinstance(effect, ReadClock) else None
        self.sent.append(effect)
        reply = self.replies[effect.path]
        if isinstance(reply, str):
            raise NoReply(reply)
        return reply


def reply(status: int = 200, body: bytes = b"{}", **headers: str) -> Reply:
    lines = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(status, lines, body)


def learn(_: Arguments) -> Steps:
    yield Send("GET", "/hello")


def make_suite(finish: Callable[[None], Finish] | None = None) -> Suite[None]:
    suite: Suite[None] = Suite("example", learn, finish)

    @suite.check("a.status", "XX-A-01")
    def status(_: None) -> Steps:
        """`/a` has status 200."""
        answer: Reply = yield Send("GET", "/a")
        expect_status(answer, 200)

    @suite.check("a.waits", "XX-A-02", slow=True)
    def waits(_: None) -> Steps:
        """Nothing changes in a minute."""
        yield Wait(60_000)
        yield Send("GET", "/a")

    @suite.check("b.writes", "XX-B-01", "XX-A-02", writes=True)
    def writes(_: None) -> Steps:
        """A write is accepted."""
        answer: Reply = yield Send("POST", "/b", (("X-Empty", ""),), b'{"it\'s": 1}', True)
        expect(answer.status == 204, "status 204", answer.status)

    return suite


def run(
    replies: dict[str, Reply | str],
    arguments: Arguments = EVERYTHING,
    suite: Suite[None] | None = None,
    rules: dict[str, RuleText] = RULES,
) -> SuiteReport:
    suite = make_suite() if suite is None else suite
    suite.rules = rules
    perform = Deployment({"/hello": reply(), **replies})
    return run_suite(suite, suite.checks, perform, arguments, url="https://x.example/")


HEALTHY: dict[str, Reply | str] = {"/a": reply(), "/b": reply(204, b"")}
