"""A complete account snapshot as a producer writes it: every endpoint, with sample data.

Source: health facts, section 15.  `snapshot_value` returns a new value each time.
One endpoint is skipped for want of a scope (`skin_temperature_today`), one has failed
(`water_log_today`); all others are ok.  Nobody of this name, birthday or hardware address exists.
"""

from collections.abc import Callable
from copy import deepcopy
from datetime import date, timedelta
from typing import Any, Final

TODAY: Final = "2026-01-31"
SAVED_AT: Final = "2026-01-31T08:15:27"
FETCHED_AT: Final = "2026-01-31T08:15:21"
SKIPPED: Final = "skin_temperature_today"
FAILED: Final = "water_log_today"
SCOPES: Final = (
    *("activity", "heartrate", "nutrition", "oxygen_saturation", "profile", "respiratory_rate"),
    *("settings", "sleep", "weight"),
)
REQUESTED_SCOPES: Final = tuple(sorted((*SCOPES, "temperature")))

_LAST: Final = date.fromisoformat(TODAY)
_API: Final = "https://api.fitbit.com/1/user/-"
_IMAGES: Final = "https://static0.fitbit.com/images"


def days_back(count: int) -> list[str]:
    """Return the last days up to today, the oldest first."""
    return [(_LAST - timedelta(back)).isoformat() for back in reversed(range(count))]


def snapshot_value(**changed: Any) -> dict[str, Any]:
    """Build the value of a snapshot file; `data` by endpoint key replace the sample data."""
    data = deepcopy(_DATA) | changed
    endpoints = {
        key: _entry(label, group, scope, data.get(key)) for key, label, group, scope in _ENDPOINTS
    }
    _skip(endpoints[SKIPPED])
    _fail(endpoints[FAILED])
    return {
        "profile_id": "anna",
        "saved_at": SAVED_AT,
        "requested_scopes": list(REQUESTED_SCOPES),
        "token_scope": list(SCOPES),
        "token_scope_raw": " ".join(SCOPES),
        "token_user_id": "9QZ4XW",
        "token_type": "Bearer",
        "expires_in": 28800,
        "range": {"today": TODAY, "recent_start": days_back(30)[0], "recent_days": 30},
        "fetch_summary": _summary(endpoints),
        "endpoints": endpoints,
    }


def _entry(label: str, group: str, scope: str, data: Any) -> dict[str, Any]:
    return {
        "ok": True,
        "status": 200,
        "fetched_at": FETCHED_AT,
        "label": label,
        "group": group,
        "scope": scope,
        "data": data,
    }


def _skip(entry: dict[str, Any]) -> None:
    entry.update(ok=False, status=None, skipped=True, reason="missing_scope:temperature", data=None)


def _fail(entry: dict[str, Any]) -> None:
    error = '{"errors":[{"errorType":"system","fieldName":"n/a","message":"Too many requests"}]}'
    entry.update(ok=False, status=429, error=error, data=None)


def _summary(endpoints: dict[str, Any]) -> dict[str, Any]:
    groups: dict[str, list[str]] = {}
    for key, entry in endpoints.items():
        groups.setdefault(entry["group"], []).append(key)
    return {
        **_counts(endpoints, list(endpoints)),
        "groups": [
            {"group": group, **_counts(endpoints, keys), "keys": keys}
            for group, keys in groups.items()
        ],
    }


def _counts(endpoints: dict[str, Any], keys: list[str]) -> dict[str, int]:
    ok = sum(endpoints[key]["ok"] for key in keys)
    skipped = sum("skipped" in endpoints[key] for key in keys)
    return {"total": len(keys), "ok": ok, "skipped": skipped, "failed": len(keys) - ok - skipped}


def _badge(name: str, kind: str, value: int, day: str) -> dict[str, Any]:
    return {
        "badgeType": kind,
        "category": "Lifetime Distance" if "DISTANCE" in kind else "Daily Steps",
        "dateTime": day,
        "description": f"{value:,} for the first time",
        "encodedId": "228TLX",
        "image100px": f"{_IMAGES}/badges_new/100px/badge_daily_steps10k.png",
        "shareText": "I earned a #Fitbit badge: 100% mine; steps = joy & rest.",
        "shortName": name,
        "value": value,
    }


def _logged(day: str, index: int) -> dict[str, Any]:
    minutes = 22 + 3 * index
    return {
        "activityName": ("Run", "Yoga", "Walk", "Spinning", "Swim")[index % 5],
        "activeZoneMinutes": {"minutesInHeartRateZones": [{"minutes": minutes, "type": "CARDIO"}]},
        "averageHeartRate": 128 + index,
        "caloriesLink": f"{_API}/activities/calories/date/{day}/{day}/1min/time/7:05/7:36.json",
        "distance": 3.1 + index / 4,
        "duration": minutes * 60000,
        "heartRateLink": f"{_API}/activities/heart/date/{day}/{day}/1sec/time/07:05:10/07:36.json",
        "logId": 8834017765512 + index,
        "logType": ("auto_detected", "tracker", "mobile_run", "manual", "third_party")[index % 5],
        "source": {"name": "Charge 6", "url": "https://www.fitbit.com/"},
        "startTime": f"{day}T07:{index:02}:00.000+01:00",
        "tcxLink": f"{_API}/activities/{8834017765512 + index}.tcx",
    }


def _food(food_id: int, name: str, calories: int, day: str) -> dict[str, Any]:
    return {
        "amount": 1.5,
        "brand": "Dæli's" if food_id % 2 else "",
        "calories": calories,
        "dateLastEaten": day,
        "foodId": food_id,
        "name": name,
        "unit": {"id": 304, "name": "serving", "plural": "servings"},
    }


def _breathing(day: str, index: int) -> dict[str, Any]:
    return {"dateTime": day, "value": {"breathingRate": round(13.9 + index % 5 / 10, 1)}}


def _saturation(day: str, index: int) -> dict[str, Any]:
    return {
        "dateTime": day,
        "value": {"avg": round(96.1 + index % 4 / 10, 1), "max": 99, "min": 92},
    }


def _temperature(day: str, index: int) -> dict[str, Any]:
    value = {"nightlyRelative": round(-0.8 + index % 9 / 5, 1)}
    return {"dateTime": day, "logType": "dedicated_temp_sensor", "value": value}


def _recent(make: Callable[[str, int], Any], days: int = 30, step: int = 1) -> list[Any]:
    """Return records of some days up to today."""
    return [make(day, index) for index, day in enumerate(days_back(days)[::step])]


_GOALS: Final = {"activeMinutes": 30, "caloriesOut": 2350, "distance": 8.05, "steps": 9500}
_TYPE: Final = "Basic yoga: stretching, session A; 100% effort @ home (no pin needed)"
_TYPES: Final = [{"activityId": 52001, "description": _TYPE, "name": "Yoga & more"}]
_FOODS: Final = [
    _food(80851, "Oats & berries", 310, TODAY),
    _food(81117, "Chocolate chip cookie", 148, "2026-01-29"),
    _food(82003, 'Brie, "triple cream" (50% fat), café Élan\'s', 201, "2026-01-28"),
    _food(82442, "鮭のおにぎり", 178, "2026-01-27"),
    _food(83210, "Big Mac: 2 patties, no pickles", 508, "2026-01-20"),
]

_DATA: Final[dict[str, Any]] = {
    "profile": {
        "user": {
            "aboutMe": "Runs before breakfast.",
            "avatar": f"{_IMAGES}/profile/defaultProfile_100.png?sz=100#top",
            "avatar150": f"{_IMAGES}/profile/defaultProfile_150.png?sig=2f6c1d",
            "avatar640": f"{_IMAGES}/profile/defaultProfile_640.png",
            "city": "Tromsø",
            "country": "NO",
            "dateOfBirth": "1986-05-17",
            "displayName": "Anna N.",
            "encodedId": "9QZ4XW",
            "firstName": "Anna",
            "fullName": "Anna Nordmann",
            "height": 171.5,
            "lastName": "Nordmann",
            "locale": "en_GB",
            "memberSince": "2019-03-02",
            "state": "Troms",
            "timezone": "Europe/Oslo",
            "topBadges": [_badge("Marathon", "LIFETIME_DISTANCE", 42, "2024-06-09")],
            "weight": 64.3,
        }
    },
    "badges": {
        "badges": [
            _badge("Boat Shoe", "DAILY_STEPS", 5000, "2023-02-11"),
            _badge("Urban Boot", "DAILY_STEPS", 15000, "2024-08-19"),
            _badge("Penguin March", "LIFETIME_DISTANCE", 112, "2025-01-05"),
            _badge("Hidden Garden", "DAILY_FLOORS", 50, "2025-11-30"),
        ]
    },
    "devices": [
        {
            "battery": "High",
            "deviceVersion": "Charge 6",
            "id": "2048316077",
            "lastSyncTime": "2026-01-31T08:02:11.000",
            "mac": "7C:E9:D3:0A:4B:F1",
            "type": "TRACKER",
        },
        {
            "battery": "Medium",
            "deviceVersion": "Aria Air",
            "id": "118203311",
            "lastSyncTime": "2026-01-30T06:58:40.000",
            "mac": "7CE9D30A4BF2",
            "type": "SCALE",
        },
    ],
    "sleep_goal": {
        "goal": {
            "bedtime": "22:45",
            "minDuration": 465,
            "updatedOn": "2025-09-01T19:22:10.000Z",
            "wakeupTime": "06:30",
        }
    },
    "activity_goals_daily": {"goals": _GOALS},
    "activity_goals_weekly": {"goals": {"caloriesOut": 16450, "distance": 56.33, "steps": 66500}},
    "today_activity_summary": {
        "activities": [{"description": "Running - 5 mph (12 min/mile)", "name": "Run"}],
        "goals": _GOALS,
        "summary": {"caloriesOut": 1712, "restingHeartRate": 56, "steps": 7633},
    },
    "lifetime_stats": {
        "best": {"total": {"steps": {"date": "2024-06-09", "value": 53112}}},
        "lifetime": {"total": {"activeScore": -1, "distance": 15610.22, "steps": 21406118}},
    },
    "activity_log_list": {
        "activities": _recent(_logged, 20),
        "pagination": {
            "next": f"{_API}/activities/list.json?offset=20&limit=20&sort=desc",
            "previous": "",
        },
    },
    **dict.fromkeys(
        ("recent_activity_types", "frequent_activity_types", "favorite_activity_types"), _TYPES
    ),
    "weight_goal": {"goal": {"goalType": "LOSE", "startDate": "2025-06-01", "weight": 62.5}},
    "weight_log_recent": {
        "weight": _recent(
            lambda day, index: {
                "bmi": round(22.4 - index / 20, 2),
                "date": day,
                "time": "06:55:58",
                "weight": round(65.9 - index / 7, 1),
            },
            step=3,
        )
    },
    "fat_goal": {"goal": {"fat": 23.5}},
    "fat_log_recent": {
        "fat": _recent(
            lambda day, index: {
                "date": day,
                "fat": round(25.1 - index / 10, 1),
                "source": "Aria",
                "time": "06:55:58",
            },
            step=3,
        )
    },
    "food_goal": {"goals": {"calories": 1980}},
    "food_log_today": {
        "foods": [{"logDate": TODAY, "loggedFood": _FOODS[0]}],
        "summary": {"calories": 310, "carbs": 52.4, "water": 1450},
    },
    **dict.fromkeys(("recent_foods", "frequent_foods", "favorite_foods"), _FOODS),
    "meals": {"meals": [{"description": "Breakfast; 1/2 portion = 155 kcal", "id": 118}]},
    "water_goal": {"goal": {"goal": 2000, "startDate": "2025-01-01"}},
    "breathing_rate_today": {"br": [_breathing(TODAY, 0)]},
    "breathing_rate_recent": {"br": _recent(_breathing)},
    "spo2_today": _saturation(TODAY, 0),
    "spo2_recent": _recent(_saturation),
    "skin_temperature_recent": {"tempSkin": _recent(_temperature)},
    "device_alarms": {
        "devices": [
            {
                "device_id": "2048316077",
                "device_name": "Charge 6",
                "alarms": [
                    {
                        "enabled": True,
                        "recurring": True,
                        "time": "06:30+01:00",
                        "weekDays": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"],
                    },
                    {"enabled": False, "recurring": False, "time": "21:00+01:00", "weekDays": []},
                ],
            }
        ],
        "errors": [{"device_id": "118203311", "status": 400, "error": "no alarms on this device"}],
    },
}


_ENDPOINTS: Final = (
    ("profile", "Profile", "account", "profile"),
    ("badges", "Badges", "account", "profile"),
    ("devices", "Devices", "account", "settings"),
    ("sleep_goal", "Sleep goal", "sleep", "sleep"),
    ("activity_goals_daily", "Daily activity goals", "activity", "activity"),
    ("activity_goals_weekly", "Weekly activity goals", "activity", "activity"),
    ("today_activity_summary", "Today's activity", "activity", "activity"),
    ("lifetime_stats", "Lifetime statistics", "activity", "activity"),
    ("activity_log_list", "Activity log", "activity", "activity"),
    ("recent_activity_types", "Recent activities", "activity", "activity"),
    ("frequent_activity_types", "Frequent activities", "activity", "activity"),
    ("favorite_activity_types", "Favourite activities", "activity", "activity"),
    ("weight_goal", "Weight goal", "body", "weight"),
    ("weight_log_recent", "Weight log", "body", "weight"),
    ("fat_goal", "Body fat goal", "body", "weight"),
    ("fat_log_recent", "Body fat log", "body", "weight"),
    ("food_goal", "Food goal", "nutrition", "nutrition"),
    ("food_log_today", "Today's food", "nutrition", "nutrition"),
    ("recent_foods", "Recent foods", "nutrition", "nutrition"),
    ("frequent_foods", "Frequent foods", "nutrition", "nutrition"),
    ("favorite_foods", "Favourite foods", "nutrition", "nutrition"),
    ("meals", "Meals", "nutrition", "nutrition"),
    ("water_goal", "Water goal", "nutrition", "nutrition"),
    ("water_log_today", "Today's water", "nutrition", "nutrition"),
    ("breathing_rate_today", "Breathing rate today", "vitals", "respiratory_rate"),
    ("breathing_rate_recent", "Breathing rate", "vitals", "respiratory_rate"),
    ("spo2_today", "SpO2 today", "vitals", "oxygen_saturation"),
    ("spo2_recent", "SpO2", "vitals", "oxygen_saturation"),
    ("skin_temperature_today", "Skin temperature today", "vitals", "temperature"),
    ("skin_temperature_recent", "Skin temperature", "vitals", "temperature"),
    ("device_alarms", "Alarms", "account", "settings"),
)

ENDPOINT_KEYS: Final = tuple(key for key, *_ in _ENDPOINTS)
"""Every endpoint, in the order of the file."""
