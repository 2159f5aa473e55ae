"""What a person has set out to reach.

Source: health facts, sections 6 and 8.
"""

import attrs

__all__ = ["Goals"]


@attrs.frozen
class Goals:
    """The goals of a person; None: none is set, or it is not known.

    Attributes:
        sleep_minutes: minutes asleep a night.
        daily_steps: steps a day.
        daily_calories: kcal a day.
        weekly_steps: steps a week.

    """

    sleep_minutes: int | None = None
    daily_steps: int | None = None
    daily_calories: int | None = None
    weekly_steps: int | None = None
