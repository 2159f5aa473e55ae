"""A complete account snapshot as a producer writes it: every endpoint, with sample data.

Source: health facts, section 15.  `snapshot_value` returns a new value each time.
One endpoint is skipped for want of a scope (`skin_temperature_today`), one has failed
(`water_log_today`); all others are ok.  Nobody of this name, birthday or hardware address exists.
"""

from datetime import date, timedelta
from typing import Any, Final

TODAY: Final = "2026-01-31"
SAVED_AT: Final = "2026-01-31T08:15:27"
FETCHED_AT: Final = "2026-01-31T08:15:21"
SKIPPED: Final = "skin_temperature_today"
FAILED: Final = "water_log_today"
SCOPES: Final = (
    "activity",
    "heartrate",
    "nutrition",
    "oxygen_saturation",
    "profile",
    "respiratory_rate",
    "settings",
    "sleep",
    "weight",
)
REQUESTED_SCOPES: Final = tuple(sorted((*SCOPES, "temperature")))

TOKEN_BLOCK: Final = {
    "token_scope_raw": " ".join(SCOPES),
    "token_user_id": "9QZ4XW",
    "token_type": "Bearer",
    "expires_in": 28800,
}
"""Members of a snapshot about its token."""

_LAST: Final = date.fromisoformat(TODAY)
_API: Final = "https://api.fitbit.com/1/user/-"
_IMAGES: Final = "https://static0.fitbit.com/images"


def days_back(count: int) -> list[str]:
    """Return the last days up to today, the oldest first."""
    return [(_LAST - timedelta(back)).isoformat() for back in reversed(range(count))]


def snapshot_value(**changed: Any) -> dict[str, Any]:
    """Build the value of a snapshot file; `data` by endpoint key replace the sample data."""
    endpoints = {
        key: _entry(label, group, scope, changed[key] if key in changed else _data(key))
        for key, label, group, scope in _ENDPOINTS
    }
    _skip(endpoints[SKIPPED])
    _fail(endpoints[FAILED])
    return {
        "profile_id": "anna",
        "saved_at": SAVED_AT,
        "requested_scopes": list(REQUESTED_SCOPES),
        "token_scope": list(SCOPES),
        **TOKEN_BLOCK,
        "range": {
            "today": TODAY,
            "recent_start": days_back(30)[0],
            "recent_days": 30,
            "activity_log_limit": 20,
        },
        "fetch_summary": _summary(endpoints),
        "endpoints": endpoints,
    }


def _data(key: str) -> Any:
    return _DATA[key]() if key in _DATA else None


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
    return {
        "total": len(keys),
        "ok": ok,
        "skipped": skipped,
        "failed": len(keys) - ok - skipped,
    }


def _profile() -> dict[str, Any]:
    return {
        "user": {
            "aboutMe": "Runs before breakfast.",
            "age": 39,
            "avatar": f"{_IMAGES}/profile/defaultProfile_100.png?sz=100#top",
            "avatar150": f"{_IMAGES}/profile/defaultProfile_150.png?sig=2f6c1d",
            "avatar640": f"{_IMAGES}/profile/defaultProfile_640.png",
            "city": "Tromsø",
            "country": "NO",
            "dateOfBirth": "1986-05-17",
            "displayName": "Anna N.",
            "distanceUnit": "METRIC",
            "encodedId": "9QZ4XW",
            "features": {"exerciseGoal": True},
            "firstName": "Anna",
            "fullName": "Anna Nordmann",
            "gender": "FEMALE",
            "height": 171.5,
            "lastName": "Nordmann",
            "locale": "en_GB",
            "memberSince": "2019-03-02",
            "offsetFromUTCMillis": 3600000,
            "state": "Troms",
            "timezone": "Europe/Oslo",
            "topBadges": [_badge("Marathon", "LIFETIME_DISTANCE", 42, "2024-06-09")],
            "weight": 64.3,
            "weightUnit": "METRIC",
        }
    }


def _badge(name: str, kind: str, value: int, day: str) -> dict[str, Any]:
    return {
        "badgeType": kind,
        "category": "Lifetime Distance" if "DISTANCE" in kind else "Daily Steps",
        "dateTime": day,
        "description": f"{value:,} for the first time",
        "encodedId": "228TLX",
        "image100px": f"{_IMAGES}/badges_new/100px/badge_daily_steps10k.png",
        "name": name,
        "shareText": "I earned a #Fitbit badge: 100% mine; steps = joy & rest.",
        "shortDescription": f"{value:,}",
        "shortName": name,
        "timesAchieved": 3,
        "value": value,
    }


def _badges() -> dict[str, Any]:
    return {
        "badges": [
            _badge("Boat Shoe", "DAILY_STEPS", 5000, "2023-02-11"),
            _badge("Urban Boot", "DAILY_STEPS", 15000, "2024-08-19"),
            _badge("Penguin March", "LIFETIME_DISTANCE", 112, "2025-01-05"),
            _badge("Hidden Garden", "DAILY_FLOORS", 50, "2025-11-30"),
        ]
    }


def _devices() -> list[dict[str, Any]]:
    return [
        {
            "battery": "High",
            "batteryLevel": 84,
            "deviceVersion": "Charge 6",
            "features": [],
            "id": "2048316077",
            "lastSyncTime": "2026-01-31T08:02:11.000",
            "mac": "7C:E9:D3:0A:4B:F1",
            "type": "TRACKER",
        },
        {
            "battery": "Medium",
            "batteryLevel": 41,
            "deviceVersion": "Aria Air",
            "id": "118203311",
            "lastSyncTime": "2026-01-30T06:58:40.000",
            "mac": "7CE9D30A4BF2",
            "type": "SCALE",
        },
    ]


def _sleep_goal() -> dict[str, Any]:
    return {
        "consistency": {
            "recommendedSleepGoal": 470,
            "typicalDuration": 441,
            "typicalWakeupTime": "06:40",
        },
        "goal": {
            "bedtime": "22:45",
            "minDuration": 465,
            "updatedOn": "2025-09-01T19:22:10.000Z",
            "wakeupTime": "06:30",
        },
    }


def _goals_daily() -> dict[str, Any]:
    return {
        "goals": {
            "activeMinutes": 30,
            "activeZoneMinutes": 25,
            "caloriesOut": 2350,
            "distance": 8.05,
            "floors": 10,
            "steps": 9500,
        }
    }


def _goals_weekly() -> dict[str, Any]:
    return {
        "goals": {
            "activeZoneMinutes": 150,
            "caloriesOut": 16450,
            "distance": 56.33,
            "floors": 70,
            "steps": 66500,
        }
    }


def _zones(minutes: int) -> list[dict[str, Any]]:
    bounds = (("Out of Range", 30, 108), ("Fat Burn", 108, 137), ("Cardio", 137, 170))
    return [
        {"caloriesOut": 7.25 * minutes, "max": most, "min": least, "minutes": minutes, "name": name}
        for name, least, most in (*bounds, ("Peak", 170, 220))
    ]


def _today_activity_summary() -> dict[str, Any]:
    return {
        "activities": [
            {
                "activityId": 90009,
                "calories": 311,
                "description": "Running - 5 mph (12 min/mile)",
                "distance": 5.02,
                "duration": 1806000,
                "isFavorite": True,
                "lastModified": "2026-01-31T07:48:02.000Z",
                "logId": 8834017765512,
                "name": "Run",
                "startDate": TODAY,
                "startTime": "07:05",
                "steps": 5420,
            }
        ],
        "goals": _goals_daily()["goals"],
        "summary": {
            "activeScore": -1,
            "activityCalories": 512,
            "caloriesOut": 1712,
            "distances": [
                {"activity": "total", "distance": 6.31},
                {"activity": "tracker", "distance": 6.31},
                {"activity": "loggedActivities", "distance": 5.02},
                {"activity": "veryActive", "distance": 4.11},
                {"activity": "sedentaryActive", "distance": 0.02},
            ],
            "fairlyActiveMinutes": 9,
            "floors": 5,
            "heartRateZones": _zones(21),
            "lightlyActiveMinutes": 48,
            "restingHeartRate": 56,
            "sedentaryMinutes": 212,
            "steps": 7633,
            "veryActiveMinutes": 27,
        },
    }


def _lifetime_stats() -> dict[str, Any]:
    def totals(steps: int, distance: float) -> dict[str, Any]:
        return {
            "activeScore": -1,
            "caloriesOut": -1,
            "distance": distance,
            "floors": 14822,
            "steps": steps,
        }

    def best(value: float) -> dict[str, Any]:
        return {"date": "2024-06-09", "value": value}

    return {
        "best": {
            "total": {"distance": best(45.81), "floors": best(88), "steps": best(53112)},
            "tracker": {"distance": best(45.81), "floors": best(88), "steps": best(53112)},
        },
        "lifetime": {
            "total": totals(21406118, 15610.22),
            "tracker": totals(21399870, 15604.8),
        },
    }


def _logged(index: int, day: str) -> dict[str, Any]:
    minutes = 22 + 3 * index
    start = f"{day}T07:{index:02}:00.000+01:00"
    return {
        "activeDuration": minutes * 60000,
        "activeZoneMinutes": {
            "minutesInHeartRateZones": [
                {
                    "minuteMultiplier": 2,
                    "minutes": minutes // 2,
                    "order": 2,
                    "type": "CARDIO",
                    "zoneName": "Cardio",
                }
            ],
            "totalMinutes": minutes,
        },
        "activityLevel": [
            {"minutes": 2, "name": "sedentary"},
            {"minutes": minutes - 2, "name": "very"},
        ],
        "activityName": ("Run", "Yoga", "Walk", "Spinning", "Swim")[index % 5],
        "activityTypeId": 90009,
        "averageHeartRate": 128 + index,
        "calories": 180 + 7 * index,
        "caloriesLink": f"{_API}/activities/calories/date/{day}/{day}/1min/time/7:05/7:36.json",
        "distance": 3.1 + index / 4,
        "distanceUnit": "Kilometer",
        "duration": minutes * 60000,
        "elevationGain": 12.192,
        "heartRateLink": f"{_API}/activities/heart/date/{day}/{day}/1sec/time/07:05:10/07:36.json",
        "heartRateZones": _zones(minutes),
        "lastModified": f"{day}T09:00:14.000Z",
        "logId": 8834017765512 + index,
        "logType": ("auto_detected", "tracker", "mobile_run", "manual", "third_party")[index % 5],
        "pace": 361.5,
        "source": {
            "id": "2048316077",
            "name": "Charge 6",
            "trackerFeatures": ["GPS", "DISTANCE", "STEPS", "HEARTRATE", "PACE", "CALORIES"],
            "type": "tracker",
            "url": "https://www.fitbit.com/",
        },
        "speed": 9.95,
        "startTime": start,
        "steps": 3100 + 11 * index,
        "tcxLink": f"{_API}/activities/{8834017765512 + index}.tcx",
    }


def _activity_log_list() -> dict[str, Any]:
    following = f"{_API}/activities/list.json?offset=20&limit=20&sort=desc&beforeDate=2026-02-01"
    return {
        "activities": [_logged(index, day) for index, day in enumerate(days_back(20))],
        "pagination": {
            "beforeDate": "2026-02-01",
            "limit": 20,
            "next": following,
            "offset": 0,
            "previous": "",
            "sort": "desc",
        },
    }


def _activity_types() -> list[dict[str, Any]]:
    return [
        {
            "activityId": 17190,
            "calories": 120,
            "description": "Walking less than 2 mph, strolling very slowly",
            "distance": 2.1,
            "duration": 1740000,
            "name": "Walk",
        },
        {
            "activityId": 52001,
            "calories": -1,
            "description": "Basic yoga: stretching, session A; 100% effort @ home (no pin needed)",
            "distance": 0,
            "duration": 2700000,
            "name": "Yoga & more",
        },
    ]


def _weight_goal() -> dict[str, Any]:
    return {
        "goal": {
            "goalType": "LOSE",
            "startDate": "2025-06-01",
            "startWeight": 67.9,
            "weight": 62.5,
        }
    }


def _weight_log_recent() -> dict[str, Any]:
    return {
        "weight": [
            {
                "bmi": round(22.4 - index / 20, 2),
                "date": day,
                "fat": round(25.1 - index / 10, 1),
                "logId": 1767858958000 + index,
                "source": "Aria",
                "time": "06:55:58",
                "weight": round(65.9 - index / 7, 1),
            }
            for index, day in enumerate(days_back(30)[::3])
        ]
    }


def _fat_goal() -> dict[str, Any]:
    return {"goal": {"fat": 23.5}}


def _fat_log_recent() -> dict[str, Any]:
    return {
        "fat": [
            {
                "date": day,
                "fat": round(25.1 - index / 10, 1),
                "logId": 1767858958000 + index,
                "source": "Aria",
                "time": "06:55:58",
            }
            for index, day in enumerate(days_back(30)[::3])
        ]
    }


def _food_goal() -> dict[str, Any]:
    return {
        "foodPlan": {"estimatedDate": "2026-05-01", "intensity": "EASIER", "personalized": True},
        "goals": {"calories": 1980},
    }


_CREAM: Final = 'Brie, "triple cream" (50% fat), café Élan\'s'


def _food(food_id: int, name: str, calories: int, day: str) -> dict[str, Any]:
    return {
        "amount": 1.5,
        "brand": "Dæli's" if food_id % 2 else "",
        "calories": calories,
        "creator": {},
        "dateLastEaten": day,
        "foodId": food_id,
        "locale": "en_GB",
        "name": name,
        "unit": {"id": 304, "name": "serving", "plural": "servings"},
        "units": [304, 226, 180, 147, 389],
    }


def _food_log_today() -> dict[str, Any]:
    return {
        "foods": [
            {
                "isFavorite": False,
                "logDate": TODAY,
                "logId": 31184502211,
                "loggedFood": _food(80851, "Oats & berries", 310, TODAY),
                "nutritionalValues": {
                    "calories": 310,
                    "carbs": 52.4,
                    "fat": 6.1,
                    "fiber": 8,
                    "protein": 11.2,
                    "sodium": 0.12,
                    "salt": 0.3,
                },
            }
        ],
        "goals": {"calories": 1980, "estimatedCaloriesOut": 2350},
        "summary": {
            "calories": 310,
            "carbs": 52.4,
            "fat": 6.1,
            "fiber": 8,
            "protein": 11.2,
            "sodium": 120,
            "water": 1450,
        },
    }


def _foods() -> list[dict[str, Any]]:
    return [
        _food(80851, "Oats & berries", 310, TODAY),
        _food(81117, "Chocolate chip cookie", 148, "2026-01-29"),
        _food(82003, _CREAM, 201, "2026-01-28"),
        _food(82442, "鮭のおにぎり", 178, "2026-01-27"),
        _food(83210, "Big Mac: 2 patties, no pickles", 508, "2026-01-20"),
    ]


def _meals() -> dict[str, Any]:
    return {
        "meals": [
            {
                "description": "Breakfast; 1/2 portion = 155 kcal",
                "id": 118,
                "mealFoods": [_food(80851, "Oats & berries", 310, TODAY)],
                "name": "Weekday start",
            }
        ]
    }


def _water_goal() -> dict[str, Any]:
    return {"goal": {"goal": 2000, "startDate": "2025-01-01"}}


def _breathing(day: str, index: int) -> dict[str, Any]:
    return {"dateTime": day, "value": {"breathingRate": round(13.9 + index % 5 / 10, 1)}}


def _breathing_today() -> dict[str, Any]:
    return {"br": [_breathing(TODAY, 0)]}


def _breathing_recent() -> dict[str, Any]:
    return {"br": [_breathing(day, index) for index, day in enumerate(days_back(30))]}


def _saturation(day: str, index: int) -> dict[str, Any]:
    return {
        "dateTime": day,
        "value": {"avg": round(96.1 + index % 4 / 10, 1), "max": 99, "min": 92},
    }


def _spo2_today() -> dict[str, Any]:
    return _saturation(TODAY, 0)


def _spo2_recent() -> list[dict[str, Any]]:
    return [_saturation(day, index) for index, day in enumerate(days_back(30))]


def _skin_recent() -> dict[str, Any]:
    return {
        "tempSkin": [
            {
                "dateTime": day,
                "logType": "dedicated_temp_sensor",
                "value": {"nightlyRelative": round(-0.8 + index % 9 / 5, 1)},
            }
            for index, day in enumerate(days_back(30))
        ]
    }


def _device_alarms() -> dict[str, Any]:
    weekdays = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"]
    return {
        "devices": [
            {
                "device_id": "2048316077",
                "device_name": "Charge 6",
                "alarms": [
                    {
                        "alarmId": 11426382551,
                        "deleted": False,
                        "enabled": True,
                        "recurring": True,
                        "syncedToDevice": True,
                        "time": "06:30+01:00",
                        "weekDays": weekdays,
                    },
                    {
                        "alarmId": 11426382552,
                        "deleted": False,
                        "enabled": False,
                        "recurring": False,
                        "syncedToDevice": False,
                        "time": "21:00+01:00",
                        "weekDays": [],
                    },
                ],
            }
        ],
        "errors": [{"device_id": "118203311", "status": 400, "error": "no alarms on this device"}],
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

_DATA: Final = {
    "profile": _profile,
    "badges": _badges,
    "devices": _devices,
    "sleep_goal": _sleep_goal,
    "activity_goals_daily": _goals_daily,
    "activity_goals_weekly": _goals_weekly,
    "today_activity_summary": _today_activity_summary,
    "lifetime_stats": _lifetime_stats,
    "activity_log_list": _activity_log_list,
    "recent_activity_types": _activity_types,
    "frequent_activity_types": _activity_types,
    "favorite_activity_types": _activity_types,
    "weight_goal": _weight_goal,
    "weight_log_recent": _weight_log_recent,
    "fat_goal": _fat_goal,
    "fat_log_recent": _fat_log_recent,
    "food_goal": _food_goal,
    "food_log_today": _food_log_today,
    "recent_foods": _foods,
    "frequent_foods": _foods,
    "favorite_foods": _foods,
    "meals": _meals,
    "water_goal": _water_goal,
    "breathing_rate_today": _breathing_today,
    "breathing_rate_recent": _breathing_recent,
    "spo2_today": _spo2_today,
    "spo2_recent": _spo2_recent,
    "skin_temperature_recent": _skin_recent,
    "device_alarms": _device_alarms,
}
