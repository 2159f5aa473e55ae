"""The music of a player with the names of the player's app, as sources of music return it.

The names are for the privacy rules, which hide the music of a hidden app; they are never published.
"""

from typing import Final

import attrs

from devicestatus.models.snapshot import Music

__all__ = ["STOPPED", "UNAVAILABLE", "PlayerMusic"]


@attrs.frozen
class PlayerMusic:
    """Music before the privacy rules.

    Attributes:
        music: state and title.
        players: all names of the app that plays it, as the player and the system gave them; empty
            where no app plays.

    """

    music: Music
    players: tuple[str, ...] = attrs.field(default=(), repr=False)


STOPPED: Final = PlayerMusic(Music("stopped", None, None))
"""No player plays."""
UNAVAILABLE: Final = PlayerMusic(Music("unavailable", None, None))
"""It is not known what plays."""
