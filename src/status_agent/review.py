"""The dry run of an agent: what the privacy rules hide in a snapshot, rule by rule.

Invariant *no hidden name leaks*: the text of a review has no hidden name and no rule.
"""

from collections import Counter
from collections.abc import Iterable

import attrs

from devicestatus.agent.privacy import PrivacyRules, Rule
from devicestatus.models import Snapshot


@attrs.frozen
class Hidden:
    """The number of different names in a member that one rule hides or replaces.

    For music these are names of its player.
    """

    member: str
    rule: Rule
    count: int


@attrs.frozen
class Review:
    """Result of the rules on one snapshot; its text has no hidden name and no rule.

    Attributes:
        is_locked: whether no apps were read because the screen is locked; None if not known.
        is_idle: whether none were read because the computer is idle; None if not known.
        player: name of the player whose music is shown; None where none is, or rules hide it.
        withheld: what of the players is not sent, and why.

    """

    public: Snapshot
    hidden: tuple[Hidden, ...]
    is_locked: bool | None = None
    is_idle: bool | None = None
    player: str | None = None
    withheld: tuple[str, ...] = ()


def review(rules: PrivacyRules, snapshot: Snapshot, players: Iterable[str] = ()) -> Review:
    """Return the public part of a snapshot, as `PrivacyRules.public`, and what each rule hides."""
    listed = tuple(players)
    names = {(match.member, match.name): match.rule for match in rules.matches(snapshot, listed)}
    counts = Counter((member, rule) for (member, _), rule in names.items() if rule is not None)
    hidden = tuple(Hidden(member, rule, count) for (member, rule), count in counts.items())
    return Review(rules.public(snapshot, listed), hidden)
