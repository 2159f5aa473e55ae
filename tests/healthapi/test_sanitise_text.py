"""Secrets inside a text, replaced by one mark."""

import base64
import json

import pytest

from costs import assert_linear
from healthapi.sanitise.text import REMOVED, TEXT_RULES, redacted, without_parameters

CANARY = "cAnArY7Zq81hRt20Kp9x"

EXAMPLES = {
    "text.pem": (
        "-----BEGIN PRIVATE KEY-----\nMIIEow\n-----END PRIVATE KEY----- ok",
        "[removed] ok",
        "----- BEGIN of the week -----",
    ),
    "text.jwt": (
        "got eyJhbGciOiJIUzI1NiJ9.e30.c2ln, kept",
        "got [removed], kept",
        "eyJ.png",
    ),
    "text.provider": ("use ghp_a1B2c3D4a1B2c3D4 now", "use [removed] now", "ghp_ and more"),
    "text.scheme": ("sent Bearer abc123 today", "sent Bearer [removed] today", "Bearer of news"),
    "text.random": (
        "id 0123456789abcdef0123456789abcdef ok",
        "id [removed] ok",
        "time_in_heart_rate_zone_fat_burn_minutes",
    ),
    "text.assignment": ("a=1&token=abc&b=2", "a=1&token=[removed]&b=2", "Session: easy run"),
    "text.neighbour": ("login x password a1b2c3", "login x password [removed]", "password reset"),
    "text.flag": ("prog --pin 12 --x", "prog --pin [removed] --x", "prog --dry-run 3"),
    "text.item": ('x ("token", "abc")', 'x ("token", "[removed]")', 'x ("steps", "abc")'),
    "text.attribute": (
        '<input name="token" value="abc">',
        '<input name="token" value="[removed]">',
        '<input name="steps" value="5">',
    ),
    "text.part": (
        ' name="token"\r\n\r\nabc\r\n--b--',
        ' name="token"\r\n\r\n[removed]\r\n--b--',
        ' name="steps"\r\n\r\n5\r\n--b--',
    ),
    "text.element": (
        "<token>abc</token> <steps>5</steps>",
        "<token>[removed]</token> <steps>5</steps>",
        "<steps>5</steps>",
    ),
    "text.segment": (
        "https://x.org/1/user/9QZ4XW/sleep",
        "https://x.org/1/user/[removed]/sleep",
        "https://x.org/1/user/-/sleep",
    ),
    "text.parameter": (
        "https://x.org/?code=abc&limit=5",
        "https://x.org/?code=[removed]&limit=5",
        "https://x.org/?offset=1&limit=5",
    ),
    "text.userinfo": ("https://anna:pw@x.org/a", "https://[removed]@x.org/a", "https://x.org/@a"),
    "text.email": ("to anna@example.org, now", "to [removed], now", "5 km @ 5:30"),
    "text.hardware-address": (
        "band 7C:E9:D3:0A:4B:F1 ok",
        "band [removed] ok",
        "2026-01-31T08:15:27",
    ),
}
"""Rule id to a text, what becomes of it, and a text that stays."""

HEALTH = (
    *("", "Morning run", "Run、Swim", "Charge 5", "Versa 3", "Inspire HR", "Dr. O'Brien's plan"),
    *("2026-01-31", "2026-01-31T08:15:27", "2026-01-31T08:15:27.123+01:00", "08:15", "T08:15Z"),
    *("57824137216", "3.14", "-0.5", "1e5", "50 %", "5:30 min/km", "3x12", "1/2 cup", "km/h"),
    *("Europe/Berlin", "en_GB", "missing_scope:temperature", "skin_temperature_recent", "a < b"),
    "activity heartrate nutrition oxygen_saturation profile settings sleep weight",
    "https://static0.fitbit.com/images/badges_new/100px/badge_lifetime_miles250.png",
    "https://api.fitbit.com/1/user/-/activities/list.json?offset=20&limit=20&sort=desc",
    "https://www.example.org/avatar/205e460b479e2e5b48aec07710c08d50?s=80#top",
    "Heart rate zones: Fat Burn 97-135, Cardio 135-164, Peak 164-220",
    "SpO2 avg=95.9 min=93 max=98; weight=70.5 kg, bmi: 22.1",
    "Session 3: 5x800 m with 2 min rest",
    "Don't forget: drink 2 l of water",
    '"quoted", "words", "here"',
    "Zürich, Köln: crème brûlée, 250 kcal & salt",
    "朝のランニング: 5 km",
    "Утренняя пробежка: 5 км",
    "🏃‍♀️ run = fun",
    "-5 degrees, --dry-run 3",
    "<b>bold</b> text",
    "C:\\Users\\anna\\file.txt",
    "Next -> 5 km | Basic plan, 500 kcal",
    "Secret Recipe: Cheesecake 2 slices, Cookies: 3 pieces",
    "The session lasted until noon; the token expired; password is required",
)


def everything(rule: str) -> bool:
    return True


def nothing(rule: str) -> bool:
    return not rule.startswith("identity.")


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


class TestRules:
    def test_all_have_examples(self) -> None:
        assert [rule.id for rule in TEXT_RULES] == list(EXAMPLES)

    @pytest.mark.parametrize("rule", EXAMPLES)
    def test_replace_what_they_are_about(self, rule: str) -> None:
        """Invariant *only the secret part*: what is not condemned stays as it is."""
        text, cleaned, _ = EXAMPLES[rule]
        assert redacted(text, everything) == cleaned

    @pytest.mark.parametrize("rule", EXAMPLES)
    def test_leave_what_only_looks_like_it(self, rule: str) -> None:
        text = EXAMPLES[rule][2]
        assert redacted(text, everything) == text

    @pytest.mark.parametrize("rule", EXAMPLES)
    def test_clean_once_and_for_all(self, rule: str) -> None:
        """Invariant *idempotent*: a text that was cleaned is clean."""
        cleaned = EXAMPLES[rule][1]
        assert redacted(cleaned, everything) == cleaned

    @pytest.mark.parametrize("text", HEALTH)
    def test_leave_health_data(self, text: str) -> None:
        assert redacted(text, everything) == text

    @pytest.mark.parametrize("text", ["to anna@example.org", "/user/9QZ4XW/x", "city=Berlin"])
    def test_about_a_person_do_not_hold_where_that_is_disclosed(self, text: str) -> None:
        assert redacted(text, nothing) == text
        assert redacted(text, everything) != text


class TestReading:
    """A text is searched as it stands and as an eye would read it."""

    @pytest.mark.parametrize(
        ("text", "cleaned"),
        [
            ("token%3Dabc%26a%3D1", "token%3D[removed]%26a%3D1"),
            ("https%3A%2F%2Fx.org%3Fcode%3Dabc", "https%3A%2F%2Fx.org%3Fcode%3D[removed]"),
            ("token%253Dabc", "token%253D[removed]"),
            (r"{\"token\":\"abc\"}", r"{\"token\":\"[removed]\"}"),
            (r"{\\\"token\\\":\\\"abc\\\"}", r"{\\\"token\\\":\\\"[removed]\\\"}"),
            ("&quot;token&quot;:&quot;abc&quot;", "&quot;token&quot;:&quot;[removed]&quot;"),
            ("&lt;token&gt;abc&lt;/token&gt;", "&lt;token&gt;[removed]&lt;/token&gt;"),
            ("https:\\/\\/a:b@host/", "https:\\/\\/[removed]@host/"),
            ("\\u0074oken=abc", "\\u0074oken=[removed]"),
            ("ｔｏｋｅｎ＝abc", "ｔｏｋｅｎ＝[removed]"),
            ("tоkеn: abc123456789", "tоkеn: [removed]"),
            ("t\u200bo\u200bken=a\u200bb", "t\u200bo\u200bken=[removed]"),
            ("to\u00adken=abc", "to\u00adken=[removed]"),
            ("\x1b[31mtoken\x1b[0m=abc", "\x1b[31mtoken\x1b[0m=[removed]"),
            ("%5Cu0074oken=abc", "%5Cu0074oken=[removed]"),
            ("ｔoken=abc, crème brûlée", "ｔoken=[removed], crème brûlée"),
        ],
    )
    def test_undoes_escapes_and_leaves_them_in_place(self, text: str, cleaned: str) -> None:
        assert redacted(text, everything) == cleaned

    @pytest.mark.parametrize("inner", ["pin=1234", '{"password": "x"}', "token=abc", "a:b@c.org"])
    def test_decodes_base64(self, inner: str) -> None:
        code = in_base64(inner)
        assert redacted(f"a {code} b", everything) == "a [removed] b"
        assert redacted(code.rstrip("="), everything) == REMOVED

    def test_decodes_base64_again_and_again(self) -> None:
        code = "pin=1234"
        for _ in range(5):
            code = in_base64(code)
            assert redacted(f"a {code}", everything) == "a [removed]"

    @pytest.mark.parametrize("inner", ["Morning run", '{"steps": 100}', "Crème brûlée"])
    def test_leaves_base64_of_health_data(self, inner: str) -> None:
        code = in_base64(inner)
        assert redacted(f"a {code} b", everything) == f"a {code} b"

    def test_replaces_parts_that_touch_by_one_mark(self) -> None:
        assert redacted("https://a:b@x?Bearer abc123", everything).count(REMOVED) == 2
        assert redacted(f"token=Bearer {CANARY}", everything) == "token=[removed] [removed]"


class TestForms:
    """The forms in which secrets lie in texts: no part of the canary may stay."""

    NAMES = ("access_token", "password", "clientSecret", "X-API-Key", "code_verifier", "id_token")
    FORMS = (
        *("{0}={1}", "a=1&{0}={1}&b=2", "https://x.org/cb?{0}={1}", "https://x.org/cb#{0}={1}&x=1"),
        *(
            "https://x.org/a;{0}={1}/b",
            "https://x.org/{0}/{1}",
            '{{"{0}": "{1}"}}',
            "{{'{0}': b'{1}'}}",
        ),
        *(
            'log: {{"{0}": ["{1}", {{"a": "{1}"}}]}}',
            "Token({0}='{1}', expires=3)",
            "('{0}', '{1}')",
        ),
        *("user: anna\n{0}: {1}\nscope: sleep", "{0}: |\n  {1}\n", "{0}:\n  - {1}\n  - {1}\n"),
        *('{0} = """{1}"""', "export {0}={1}", "GET / HTTP/1.1\r\n{0}: {1}\r\nAccept: */*"),
        *("curl -H '{0}: {1}' https://x.org", "curl -d '{0}={1}' https://x.org", "curl -F {0}={1}"),
        *("prog --{0} {1} --x", "prog --{0}={1}", "<a><{0}>{1}</{0}></a>", '<a {0}="{1}"/>'),
        *('<add key="{0}" value="{1}"/>', "<key>{0}</key><string>{1}</string>", "[:{0} => '{1}']"),
        *('s:12:"{0}";s:20:"{1}";', '"{0}","{1}"', "{0}\t{1}", "{0} -> {1}", "the {0} is {1}"),
        *(
            "map[{0}:{1} scope:x]",
            "level=info {0}={1} user=anna",
            "const {0} = `{1}`;",
            "**{0}**: {1}",
        ),
        *(
            "UPDATE t SET {0} = '{1}' WHERE 1",
            "x {{'name': '{0}', 'value': '{1}'}}",
            "| {0} | {1} |",
        ),
        *("localStorage.setItem('{0}', '{1}')", "machine x {0} {1}", "user[{0}]={1}", "{0}[0]={1}"),
        *("{0}＝{1}", "{{&quot;{0}&quot;:&quot;{1}&quot;}}", 'cb({{"{0}":"{1}"}});', "{0}: <{1}>"),
    )

    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("form", FORMS)
    def test_keep_nothing_of_the_secret(self, form: str, name: str) -> None:
        cleaned = redacted(form.format(name, CANARY), everything)
        assert CANARY not in cleaned
        assert REMOVED in cleaned

    @pytest.mark.parametrize("form", FORMS)
    def test_keep_values_of_other_names(self, form: str) -> None:
        text = form.format("resting_rate", "fifty-five")
        assert redacted(text, everything) == text

    @pytest.mark.parametrize(
        "text",
        [
            f"Bearer {CANARY}",
            "Basic " + in_base64(f"user:{CANARY}"),
            f"Cookie: a=b; sid={CANARY}; c=d",
            f"Set-Cookie: x={CANARY}; Path=/",
            f"https://user:{CANARY}@x.org/",
            f"https%3A%2F%2Fuser%3A{CANARY}%40x.org",
            f"curl -u user:{CANARY} https://x.org",
            f'Digest username="u", response="{CANARY}"',
            f"eyJhbGciOiJIUzI1NiJ9.{CANARY}.{CANARY}",
            "data:application/json;base64," + in_base64(json.dumps({"token": CANARY})),
            "log " + json.dumps(json.dumps(json.dumps({"token": CANARY}))),
        ],
    )
    def test_that_need_no_name_keep_nothing_either(self, text: str) -> None:
        cleaned = redacted(text, everything)
        assert CANARY not in cleaned
        assert in_base64(CANARY)[:20] not in cleaned


class TestPasses:
    def test_end_with_the_mark_alone_where_they_find_ever_more(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("healthapi.sanitise.text._PASSES", 1)
        assert redacted("token=abc", everything) == REMOVED
        assert redacted("steps=100", everything) == "steps=100"


class TestWithoutParameters:
    @pytest.mark.parametrize(
        ("url", "bare"),
        [
            ("https://a:b@x.org/p.png?s=1#t", "https://x.org/p.png"),
            ("https://x.org/p.png", "https://x.org/p.png"),
            ("//x.org/p?s", "//x.org/p"),
            ("/p.png?s=1", "/p.png"),
            ("p/q#t", "p/q"),
            ("why?", "why?"),
            ("", ""),
        ],
    )
    def test_keeps_scheme_host_and_path(self, url: str, bare: str) -> None:
        assert without_parameters(url) == bare


class TestCost:
    @pytest.mark.parametrize(
        "motif", ["a ", "token=", '{"token":"a"}', "%3D", "é=", "<token>a</token>", '"a","b",']
    )
    def test_grows_with_the_text(self, motif: str) -> None:
        assert_linear(
            lambda text: redacted(text, everything), lambda size: motif * size, 8000 // len(motif)
        )
