"""The device: its true state, its clock, its sleep, and the names that must stay private.

Names of private apps contain a marker that is nowhere else.  `hidden` lists what the rules in force
hide; `public` computes what may be shown without the library's own privacy code.
"""

from random import Random
from typing import Any, Final

import attrs

from devicestatus.agent.privacy import PrivacyRules, Switches
from devicestatus.models import Battery, Music, Snapshot, System
from simulation.clock import SteppedClock
from simulation.truth import State, state_of
from status_contracts.primitives import ABSENT, Absent

_APPS: Final = ("Editor", "Terminal", "Mail", "Maps \u5730\u56f3", "Paint 🎨", "Reader \u202e")
_VAULT: Final = "Zq7Canary Vault"
_BANK: Final = "Zq7Canary Bank of Somewhere"
_DIARY: Final = "Zq8Later Diary"
_SECRET: Final = (_VAULT, _BANK, _DIARY)
_LONG: Final = ("\U0001f3b5" * 400, "\u0301a" * 240, '"\\' * 250, "x" * 500)
_RUNNING_MOST: Final = 5
_BROKEN: Final = ("tab\there", "y" * 501, "", "\x7f")


@attrs.frozen
class Policy:
    """Privacy rules, and the apps that they hide: here by name, in the rules by other forms.

    Attributes:
        rules: the rules of the agent.
        hidden: the apps that it must not report.
        canaries: the parts of their names that must never be published.

    """

    rules: PrivacyRules
    hidden: frozenset[str]
    canaries: tuple[str, ...]

    def public(self, sample: Snapshot) -> State:
        """Return what may be shown of a sample."""
        app, battery, system, music, running = state_of(sample)
        on = self.rules.switches
        app = "System" if app in self.hidden else app
        return (
            app if on.apps else None,
            battery if on.battery else Battery(None, None, "unknown"),
            system if on.system else System(None, None, None),
            music if on.music else Music("unavailable", None, None),
            self._running(running) if on.running_apps else ABSENT,
        )

    def _running(self, running: tuple[str, ...] | Absent) -> tuple[str, ...] | Absent:
        if running is ABSENT or self.hidden.isdisjoint(running):
            return running
        shown = {"System" if name in self.hidden else name for name in running}
        return tuple(sorted(shown, key=lambda name: (name.casefold(), name)))


_NAMES: Final = ("\uff3a\uff51\uff17canary   VAULT", "zq7*bank*")
_BASE: Final = PrivacyRules(names=_NAMES)
_ALWAYS: Final = frozenset({_VAULT, _BANK})


def _policy(rules: PrivacyRules, *more: str) -> Policy:
    return Policy(rules, _ALWAYS | {*more}, ("Zq7", *(name[:3] for name in more)))


RULES: Final = (
    _policy(_BASE),
    _policy(attrs.evolve(_BASE, names=frozenset({*_NAMES, "zq8later diary"})), _DIARY),
    _policy(attrs.evolve(_BASE, switches=Switches(music=False, battery=False))),
    _policy(attrs.evolve(_BASE, switches=Switches(running_apps=False, apps=False))),
)
"""Policies that a person puts in force, one after another."""


class Machine:
    """One computer."""

    def __init__(self, clock: SteppedClock, random: Random) -> None:
        self.clock = clock
        self.is_awake = True
        self.policy = RULES[0]
        self._random = random
        self._shown: tuple[Snapshot, Policy, State] | None = None
        self._state = Snapshot(
            0,
            "Editor",
            Battery(80, False, "battery"),
            System(0.5, 0.5, 0.5),
            Music("stopped", None, None),
            ("Editor",),
        )

    def look(self) -> Snapshot:
        """Return the true state now, which has changed a little since the last call."""
        chance = self._random.random
        if chance() < 0.06:
            self._change(active_app=self._app())
        if chance() < 0.03:
            self._change(music=self._music())
        if chance() < 0.02:
            self._change(running_apps=self._running())
        if chance() < 0.01:
            self._change(battery=self._battery())
        if chance() < 0.1:
            self._change(system=System(*(round(chance() * 4, 2) for _ in range(3))))
        return self._state

    def public(self, sample: Snapshot) -> State:
        """Return what may be shown of a sample; most are the same as the one before."""
        shown = self._shown
        if shown is None or shown[0] is not sample or shown[1] is not self.policy:
            shown = self._shown = sample, self.policy, self.policy.public(sample)
        return shown[2]

    def hurry(self) -> Snapshot:
        """Return the state after everything changed at once, with texts of maximum length."""
        self._change(
            active_app=self._app(),
            music=Music("playing", self._random.choice(_LONG), self._random.choice(_LONG)),
            running_apps=tuple(
                f"{self._random.getrandbits(32):08x} {'長' * 150}" for _ in range(20)
            ),
        )
        return self._state

    def spoil(self) -> Snapshot:
        """Return a reading that breaks the contract; the state stays."""
        track = self._random.choice(_BROKEN)
        return attrs.evolve(self._state, music=Music("playing", track, "Band"))

    def _change(self, **members: Any) -> None:
        self._state = attrs.evolve(self._state, **members)

    def _app(self) -> str | None:
        return self._random.choice((*_APPS, *_SECRET, None))

    def _running(self) -> tuple[str, ...] | Absent:
        names = [*_APPS, *_SECRET]
        if self._random.random() < 0.1:
            return ABSENT
        self._random.shuffle(names)
        return tuple(names[: self._random.randrange(_RUNNING_MOST + 1)])

    def _music(self) -> Music:
        if self._random.random() < 0.3:
            return Music("paused", None, None)
        number = self._random.getrandbits(20)
        pair = f"https://is1-ssl.mzstatic.com/{number}.jpg", f"https://music.apple.com/{number}"
        return Music("playing", f"Tune {number}", "Band", *pair)

    def _battery(self) -> Battery:
        return Battery(self._random.randrange(101), self._random.random() < 0.5, "battery")
