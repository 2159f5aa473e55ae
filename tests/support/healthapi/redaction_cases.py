"""Texts that are published, texts that are removed, and values with what is published of them."""

# ruff: noqa: E501 # tables of texts

from typing import Any, Final

ORDINARY: Final[dict[str, tuple[str, ...]]] = {
    "word": (
        "", "Morning run", "Inspire HR", "Zürich, Köln: crème brûlée", "Утренняя пробежка", "朝のランニング", "Run、Swim",
        "हिन्दी", "e\u0301clair", "Dr. O'Brien's plan", "self-care", "(easy)", '"quoted", "words"', "veryActive", "kJ", "«légère» !",
        "Oats & berries", "Run - evening", "Cookies", "Session three", "Basic Yoga Class", "Out of Range", "a" * 24, " ".join("a" * 24),
    ),
    "number": (
        "5", "-0.5", "+3", "5,000", "1/2", "97-135", "120/80", "10k", "2500m", "5 km", "12kcal.", "50%", "50 %", "36.6°C", "9" * 15,
        "Charge 5", "Versa 3", "24hour", "(12", "Peak 164-220,", "5 км",
    ),
    "day or time": (
        "2026-01-31", "2026-01-31T08:15:27", "2026-01-31T08:15:27.123+01:00", "2026-01-31 08:15:27 +0100", "08:15", "T08:15Z", "7:05 AM",
        "07:00+01:00", "31.01.2026", "45:30", "1:02:03", "05:12:05:08:05:15",
    ),
    "constant": ("MONDAY", "DAILY_STEPS", "LIFETIME_DISTANCE"),
    "zone or locale": ("Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "UTC", "en_GB", "zh_Hans_CN"),
    "producer": (
        "missing_scope:nutrition", "missing_scope: oxygen_saturation", "missing_scope:", "skin_temperature_recent", "SpO2 today",
        "activity heartrate nutrition oxygen_saturation profile settings sleep weight",
    ),
    "image": ("https://static0.fitbit.com/images/badges_new/100px/badge_lifetime_miles250.png",),
    "removed": ("[removed]", "[removed] 2"),
}  # fmt: skip
"""Kind to texts that are published as they are."""

TOKEN: Final = "q7Zr1Kd93mWxT0vL"
"""Random letters and digits."""

HIDDEN: Final[dict[str, tuple[str, ...]]] = {
    "name of a secret": (
        "Bearer abc", "bearer", "Token: correcthorse", "Token Ring Run", "Secret Garden", "the password is hunter", "the PIN is 1234", "Pin: 1234",
        "access_token → abc", "accessToken: abc", "access token - abc", "the access token was abc", "ApiKey abc", "api key abc", "otp 123456",
        "Set-Cookie abc", "Your session id: abc", "passwords", "TOKEN", "ｐａｓｓｗｏｒｄ", "пароль abc", "密码: abc", "Digest abc", "NTLM abc",
        "BEARER_ABC", "https://static0.fitbit.com/access_token/abc", "missing_scope:access_token", "clientsecret abc",
    ),
    "identity in several words": ("birthDate: 1986-05-17", "full name: Anna Nordmann", "credit card 4111 1111 1111 1111"),
    "notation": (
        "token=abc", "a=b", "k: {v}", "<b>bold</b>", "a < b", "x | y", "C:\\Users\\anna", "prog --pin 1234", "curl -u anna:abc", "a_b", "auto_detected",
        '{"a": 1}', "a;b=c", "pin%3D1234", "#Fitbit", "@anna", "5:30 min/km", "km/h", "e.g. run", "a\u200bb", "🏃 run",
    ),
    "address": (
        "anna@example.org", "tel:+49171", "https://example.org/", "http://static0.fitbit.com/a.png", "https://static0.fitbit.com/a.png?sz=100",
        "https://static0.fitbit.com/a.png#top", "https://a:b@static0.fitbit.com/a.png", "https://static0.fitbit.com.example.org/a.png",
        "https://api.fitbit.com/1/user/-/activities/list.json?offset=20&limit=20", "7C:E9:D3:0A:4B:F1", "7CE9D30A4BF1", "192.168.0.1", "/etc/passwd",
    ),
    "random": (
        TOKEN, f"id {TOKEN} more", "9QZ4XW", "hunter2", "Basic dXNlcjpwYXNz", "dXNlcjpwYXNzd29yZA==", "ghp_a1B2a1B2a1B2a1B2", "sk_live_abc", "0123456789abcdef" * 2,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", "205e460b-479e-2e5b",
        "1e5", "3x12", "1-2-3", "1,234,567", "0x1F",
    ),
    "too much": ("a" * 25, "9" * 16, "12345678 " * 25, "a " * 25, "self-" * 6 + "a", "10kcalories", "A" * 25, "_".join(["A" * 20] * 4)),
    "a slash": (
        "No/Where", "Europe/", "Europe//Oslo", "Europe/a/b/c", "x/Oslo", "Europe/dGhpc0lz", "Europe/Oslo1", "US/ABCdefGHI",
        "Asia/eyJhbGci/OiJ", "America/Secret", "Etc/GMT+123", "Pacific/" + "a" * 15, "Arctic/München",
    ),
    "no kind": ("2026-13-01T08:15", "EN_gb", "A1_B2", "A__B", "-a", "a-", "e\u200dx", "\x00", "\u0301a"),
}  # fmt: skip
"""Kind to texts that are removed as a whole."""

VALUES: Final[tuple[tuple[str, str, Any, Any], ...]] = (
    ("secrets by their names", "HA-PRIVACY-05", {"access_token": "abc", "refreshToken": 1, "API-KEY": [1], "apikey": None, "ｐｉｎ": 1234, "steps": 5}, {"steps": 5}),
    ("a secret at any depth", "HA-PRIVACY-01 HA-PRIVACY-02", {"a": [{"b": {"refresh_token": "abc", "c": [[{"pin": 1}]]}}]}, {"a": [{"b": {"c": [[{}]]}}]}),
    ("metadata of a token", "HA-PRIVACY-03", {"token_type": "Bearer", "token_user_id": "a", "token_scope": ["sleep"], "expires_in": 28800, "steps": 5}, {"steps": 5}),
    ("metadata beside a token", "HA-PRIVACY-03", {"access_token": "abc", "scope": "sleep", "user_id": "a", "expires_at": 5, "ok": True}, {"ok": True}),
    ("a scope without a token", "HA-PRIVACY-04", {"scope": "sleep", "granted_scopes": ["sleep", "oxygen_saturation"]}, {"scope": "sleep", "granted_scopes": ["sleep", "oxygen_saturation"]}),
    ("pairs as objects", "HA-PRIVACY-05", [{"name": "Set-Cookie", "value": "abc"}, {"Value": 1, "Key": "pin", "a": 2}, {"name": "Accept", "value": "all"}], [{}, {"a": 2}, {"name": "Accept", "value": "all"}]),
    ("pairs as lists", "HA-PRIVACY-05", [["Authorization", "abc"], ["pin", 1234], ["Cookie", "abc"], ["email", "abc"], ["Accept", "all"]], [["[removed]", "[removed]"]] * 4 + [["Accept", "all"]]),
    ("a list is no pair", "HA-PRIVACY-06", ["Authorization", "Bearer", TOKEN, "run"], ["[removed]", "[removed]", "[removed]", "run"]),
    ("counts and names of food and workouts", "HA-PRIVACY-08", {"name": "Cookies", "calories": 120, "sessions": 3, "token_count": 2, "cookies": 4, "splits": ["05:12", "05:08"]}, {"name": "Cookies", "calories": 120, "sessions": 3, "token_count": 2, "cookies": 4, "splits": ["05:12", "05:08"]}),
    ("innocent pairs", "HA-PRIVACY-08", [{"name": "Cookies", "value": 120}, {"name": "Session", "value": 3}, ["sessions", 4], {"value": 5}], [{"name": "Cookies", "value": 120}, {"name": "Session", "value": 3}, ["sessions", 4], {"value": 5}]),
    ("health data", "HA-PRIVACY-08 HA-PRIVACY-10", {"steps": 5000, "hrv": 40.5, "date": "2026-01-01", "flags": [True, None], "weight": 61.5, "height": 170}, {"steps": 5000, "hrv": 40.5, "date": "2026-01-01", "flags": [True, None], "weight": 61.5, "height": 170}),
    ("a text in each place", "HA-PRIVACY-06 HA-PRIVACY-08", {"a": "x=1", "b": ["x=1", "run", {"c": "x=1"}]}, {"a": "[removed]", "b": ["[removed]", "run", {"c": "[removed]"}]}),
    ("JSON inside of text", "HA-PRIVACY-01 HA-PRIVACY-06", {"note": '{"token": "abc"}'}, {"note": "[removed]"}),
    ("identities", "HA-PRIVACY-09", {"fullName": "Anna", "dateOfBirth": "1986-05-17", "userEmail": "a", "city": "Oslo", "country": "NO", "encodedId": "a", "state": "Troms", "phone": 1, "aboutMe": "a"}, {}),
    ("hardware addresses and numbers", "HA-PRIVACY-11", {"mac": "a", "serial_number": 5, "imei": 1, "clientIp": "a", "battery": "High"}, {"battery": "High"}),
    ("the display name", "HA-PRIVACY-08", [{"displayName": "anna_87"}, {"display_name": "Anna N. 2-x"}, {"displayName": "a@b"}, {"displayName": "a1" * 21}, {"name": "anna_87"}], [{"displayName": "anna_87"}, {"display_name": "Anna N. 2-x"}, {"displayName": "[removed]"}, {"displayName": "[removed]"}, {"name": "[removed]"}]),
    ("a picture with a query", "HA-PRIVACY-12", {"avatar": "https://static0.fitbit.com/a.png?sig=abc#x", "avatar150": "https://static0.fitbit.com/a.png"}, {"avatar": "[removed]", "avatar150": "https://static0.fitbit.com/a.png"}),
    ("a value as a name", "HA-PRIVACY-06", {"anna@example.org": 1, "[removed] 2": 2, TOKEN: {"a": "x=1"}, "steps": 5}, {"[removed]": 1, "[removed] 2": 2, "[removed] 3": {"a": "[removed]"}, "steps": 5}),
    ("names that are published", "HA-PRIVACY-08", {"avatar150": 1, "spo2_today": 2, "activities-heart": 3, "2026-01-31": 4, "Fat Burn": 5, "": 6}, {"avatar150": 1, "spo2_today": 2, "activities-heart": 3, "2026-01-31": 4, "Fat Burn": 5, "": 6}),
)  # fmt: skip
"""Title, rules, a value, and what is published of it."""
