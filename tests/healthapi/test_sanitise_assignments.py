"""Names with their values in running text, together and apart."""

from collections.abc import Callable, Iterator

import pytest

from costs import assert_linear
from healthapi.sanitise import assignments as assigned
from healthapi.sanitise import pairs
from healthapi.sanitise.assignments import Withheld
from healthapi.sanitise.fold import Span

Finder = Callable[[str, Withheld], Iterator[Span]]


def everything(rule: str) -> bool:
    return True


def nothing(rule: str) -> bool:
    return False


def found(finder: Finder, text: str, withheld: Withheld = everything) -> list[str]:
    return [text[start:end] for start, end in finder(text, withheld)]


class TestAssignments:
    """Invariant *structure or suspicion*."""

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("access_token=abc", "abc"),
            ("a=1&access_token=abc&b=2", "abc"),
            ("access_token = abc and more", "abc"),
            ("accessToken: abc", "abc"),
            ("accessToken:abc", "abc"),
            ("access-token: abc", "abc"),
            ("oauth.access_token=abc", "abc"),
            ("--access-token=abc", "abc"),
            ("$ACCESS_TOKEN=abc", "abc"),
            ("user[access_token]=abc", "abc"),
            ("access_token[0]=abc", "abc"),
            ("access_token:\t  \n  \t\t                     abc", "abc"),
            ('"access_token": "abc"', "abc"),
            ('"access_token":"a\\"b", "c": 1', 'a\\"b'),
            ('"access_token": ["a", {"b": "]"}], "c"', '["a", {"b": "]"}]'),
            ('"access_token": {"a": "b", "c', '{"a": "b", "c'),
            ("'access_token': 'abc'", "abc"),
            ("{'access_token': b'abc'}", "abc"),
            ("{'access_token': u'abc'}", "abc"),
            ("`access_token`: `abc`", "abc"),
            ("Token(access_token='abc', expires=3)", "abc"),
            ('access_token = """a\nb"""', "a\nb"),
            ("access_token = '''ab", "ab"),
            ("access_token: 'it''s'", "it''s"),
            ("access_token => abc", "abc"),
            ("access_token -> abc", "abc"),
            ("access_token → abc", "abc"),
            ("access_token := abc", "abc"),
            ("access_token != abc", "abc"),
            ("access_token == abc", "abc"),
            ("**access_token**: abc", "abc"),
            ("<b>access_token</b>: <i>abc</i>", "abc"),
            ("access_token: <abc>", "abc"),
            ("map[access_token:abc scope:x]", "abc"),
            ("access_token: - abc", "abc"),
            ("password=pa,ss#word&x=1", "pa,ss#word"),
            ("password = correct horse battery", "correct horse battery"),
            ("Password: correct horse, then run", "correct horse"),
            ("password: hunter2 user: anna", "hunter2"),
            ("Server=x;Uid=u;Pwd=abc;", "abc"),
            ("client secret: abc", "abc"),
            ("Authorization: Custom abc, d=e\nAccept: x", "Custom abc, d=e"),
            ("curl -H 'Authorization: Custom abc' https://x", "Custom abc"),
            ('curl -H "X-Auth: a" -H "Authorization: Custom abc"', "Custom abc"),
            ("`Authorization: Custom abc` is", "Custom abc"),
            ("authorization=Custom abc", "Custom abc"),
            ("Cookie: a=b; c=d\r\nAccept: x", "a=b; c=d"),
            ("Set-Cookie: a=b; Path=/", "a=b; Path=/"),
            ("cookie=a=b; c=d&x=1", "a=b; c=d"),
            ("set-cookie=abc", "abc"),
            ("Cookie: q7Zr1Kd93mWxT0vL", "q7Zr1Kd93mWxT0vL"),
            ("city=Berlin", "Berlin"),
            ("birthDate: 1986-05-17", "1986-05-17"),
            ("full_name: Anna Nordmann", "Anna"),
        ],
    )
    def test_of_names_written_as_members_are_found(self, text: str, value: str) -> None:
        assert value in found(assigned.assignments, text)

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("the token: q7Zr1Kd93mWx is", "q7Zr1Kd93mWx"),
            ("Your token: a1b2", "a1b2"),
            ("Token: correcthorse", "correcthorse"),
            ("the password is hunter2", "hunter2"),
            ("the PIN is 1234", "1234"),
            ("Pin: 1234", "1234"),
            ("| password | hunter2 |", "hunter2"),
            ("Session: q7Zr1Kd93mWx", "q7Zr1Kd93mWx"),
            ("Your session_id: abc", "abc"),
            ("sessionid: abc", "abc"),
            ("the access_token is a1b2", "a1b2"),
            ("(password): abc", "abc"),
        ],
    )
    def test_in_prose_are_found_where_they_look_like_no_prose(self, text: str, value: str) -> None:
        assert found(assigned.assignments, text) == [value]

    @pytest.mark.parametrize(
        "text",
        [
            *("Session: easy run, 45 min", "Session 3: 5x800 m with 2 min rest", "Secret: carrots"),
            *("Two sessions: 30 minutes each", "The pass is 2500m high", "session is 45min"),
            *(
                "Token: thanks",
                "Pin: bowling",
                "auth: ok",
                "Signature: salmon",
                "Cookies: 3 pieces",
            ),
            *("Cookie: chocolate chip", "the password is required", "| token | expires |"),
            *(
                "City: Berlin",
                "Country: road",
                "Birthday: in May",
                "Phone: off",
                "Address: see map",
            ),
            *("steps=100", "steps: 100", "a=1&b=2", "code=5", "key: 5", "token://x", "x is y"),
            *("the token expired", "my secret is", "password", "", "=", "token=", "token: ", ":"),
            *("cookies_eaten=3", "session_minutes: 45", "password: ,", "token: \n", "Cookie:"),
        ],
    )
    def test_of_health_data_are_left(self, text: str) -> None:
        assert found(assigned.assignments, text) == []

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("token:\n  abc\nscope: x", "abc"),
            ("token:\n  access: abc\n  refresh: def\nscope: x", "access: abc\n  refresh: def"),
            ("token:\n  - abc\n\n  - def\nscope: x", "- abc\n\n  - def"),
            ("token:\n- abc\n- def\nscope: x", "- abc\n- def"),
            ("- token:\n    abc\n- scope: x", "abc"),
            ("  token:\n    abc\n  scope: x", "abc"),
            ("password: |\n  abc\n  def\nscope: x", "|\n  abc\n  def"),
            ("password: >-\r\n  abc", ">-\r\n  abc"),
            ("session: |\n  abc\nscope: x", "|\n  abc"),
            ("session_id:\n  abc", "abc"),
        ],
    )
    def test_in_the_lines_below_are_found(self, text: str, value: str) -> None:
        assert found(assigned.assignments, text) == [value]

    @pytest.mark.parametrize(
        "text",
        ["Session:\n  5x800 m\n  easy", "scope:\n  sleep", "token:\nscope: x", "auth:\n  failed"],
    )
    def test_lines_below_other_words_are_left(self, text: str) -> None:
        assert "sleep" not in found(assigned.assignments, text)
        assert found(assigned.assignments, text) in ([], ["scope:"])

    def test_what_is_disclosed_is_left(self) -> None:
        assert found(assigned.assignments, "city=Berlin", nothing) == []

    def test_a_value_that_is_removed_is_found_again_as_it_is(self) -> None:
        for text in ("token=[removed]", '"token": "[removed]"', "Cookie: [removed]"):
            assert found(assigned.assignments, text) == ["[removed]"]

    def test_a_value_that_is_a_name_is_followed_by_its_own(self) -> None:
        text = "'token' is client_secret: abc"
        assert found(assigned.assignments, text) == ["client_secret:", "abc"]

    def test_each_is_found(self) -> None:
        text = "token=ab&secret=cd, password: ef gh, x=1"
        assert found(assigned.assignments, text) == ["ab", "cd", "ef gh"]


class TestNeighbours:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("machine x login u password hunter2", "hunter2"),
            ("password 12345678", "12345678"),
            ("ENV ACCESS_TOKEN abc123", "abc123"),
            ("session_id\tabc123", "abc123"),
            ("otp 123456", "123456"),
            ("the secret q7Zr1Kd93mWx", "q7Zr1Kd93mWx"),
            ('"password" "hunter2"', "hunter2"),
            ("--api-key abc123", "abc123"),
        ],
    )
    def test_that_are_no_words_are_found(self, text: str, value: str) -> None:
        assert found(assigned.neighbours, text) == [value]

    @pytest.mark.parametrize(
        "text",
        [
            *("password reset", "secret 10-mile run", "the token 2026-01-31", "Session 123456"),
            *("access_token 123456", "city 12345678a", "pin 12", "forgot password 3 times"),
            *("session 2026-01-31T10:00:00", "steps 10000000", "password  ", ""),
        ],
    )
    def test_words_days_and_counts_are_left(self, text: str) -> None:
        assert found(assigned.neighbours, text) == []

    def test_what_is_disclosed_is_left(self) -> None:
        assert found(assigned.neighbours, "password hunter2", nothing) == []


class TestParameters:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("https://x.org/?code=abc&a=1", "abc"),
            ("https://x.org/#state=abc", "abc"),
            ("?a=1&amp;key=abc", "abc"),
            ("?X-Amz-Algorithm=A&Policy=abc", "abc"),
            ("/a;sig=abc", "abc"),
            ("?hash=[removed]", "[removed]"),
        ],
    )
    def test_that_sign_or_open_are_found(self, text: str, value: str) -> None:
        spans = assigned.parameters(text)
        assert [text[start:end] for start, end in spans] == [value]

    @pytest.mark.parametrize(
        "text",
        ["https://x.org/?offset=20&limit=20&sort=desc", "code=5", "?codec=a", "?monkey=a", "?key="],
    )
    def test_others_are_left(self, text: str) -> None:
        assert list(assigned.parameters(text)) == []


class TestItems:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("('access_token', 'abc')", "abc"),
            ('["access_token", "abc"]', "abc"),
            ("[('x', '1'), ('password', b'abc')]", "abc"),
            ("req.setHeader('Authorization', 'abc')", "abc"),
            ("localStorage.setItem('session', 'abc')", "abc"),
            ('["pin", "1234"]', "1234"),
            ('"password","abc"', "abc"),
            ('s:8:"password";s:3:"abc";', "abc"),
            ("'token' -> 'abc'", "abc"),
            ('"session", "q7Zr1Kd93mWx"', "q7Zr1Kd93mWx"),
            ("'token', \"ab'c\"", "ab'c"),
        ],
    )
    def test_behind_a_condemned_name_are_found(self, text: str, value: str) -> None:
        assert found(pairs.items, text) == [value]

    @pytest.mark.parametrize(
        "text",
        [
            *("'steps', 'distance'", '"session", "Morning run"', "('email', 'abc')", "'token', 5"),
            *("don't, 'token' and 'abc'", '"Secret Garden", "abc"', '{"name": "token", "a": 1}'),
            *('"password", ""', "'token' 'abc'"),
        ],
    )
    def test_others_are_left(self, text: str) -> None:
        assert found(pairs.items, text) == []

    def test_what_is_disclosed_is_left(self) -> None:
        assert found(pairs.items, "('token', 'abc')", nothing) == []


class TestAttributes:
    @pytest.mark.parametrize(
        ("text", "values"),
        [
            ('<input type="hidden" name="csrf_token" value="abc">', ["abc"]),
            ('<input value="abc" name="csrf_token">', ["abc"]),
            ('<add key="password" value="abc"/>', ["abc"]),
            ('x {"name": "password", "value": "abc"}', ["abc"]),
            ('x {"value": 5, "name": "pin"}', ["5"]),
            ('x {"name": "password", "value": {"a": "b"}}', ['{"a": "b"}']),
            ("Header(name='Authorization', value='abc')", ["abc"]),
            ("- name: API_TOKEN\n  value: abc\n- name: SCOPE\n  value: x", ["abc"]),
            ("{key: session, value: 30}", ["30"]),
            ('name="password" value="abc', ["abc"]),
        ],
    )
    def test_beside_a_condemned_name_are_found(self, text: str, values: list[str]) -> None:
        assert found(pairs.attributes, text) == values

    @pytest.mark.parametrize(
        "text",
        [
            *(
                '<input name="steps" value="5">',
                "name: Anna, value: 5",
                '{"name": "token"} value=5',
            ),
            *("- name: A\n  value: 1\n- name: B\n  value: 2", "type=run value=5", "", "name="),
            *('{"name": "Secret Garden", "value": 5}', '{"value": {"a": 1}, "name": "token"}'),
        ],
    )
    def test_others_are_left(self, text: str) -> None:
        assert found(pairs.attributes, text) == []

    def test_what_is_disclosed_is_left(self) -> None:
        assert found(pairs.attributes, '<a name="token" value="b">', nothing) == []


class TestParts:
    FORM = '--b\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\nabc\r\n--b--'

    @pytest.mark.parametrize("more", ["", "\r\nContent-Type: text/plain", '; filename="a"'])
    def test_of_a_condemned_name_are_found(self, more: str) -> None:
        assert found(pairs.parts, self.FORM.format(name="password", more=more)) == ["abc"]

    def test_others_are_left(self) -> None:
        assert found(pairs.parts, self.FORM.format(name="steps", more="")) == []

    def test_what_is_disclosed_is_left(self) -> None:
        form = self.FORM.format(name="password", more="")
        assert found(pairs.parts, form, nothing) == []


class TestElements:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("<a><token>abc</token></a>", "abc"),
            ("<ns:accessToken x='1'>abc</ns:accessToken>", "abc"),
            ("<token><value>abc</value></token> <steps>5</steps>", "<value>abc</value>"),
            ("<token><![CDATA[abc]]></token>", "<![CDATA[abc]]>"),
            ("<token>abc", "abc"),
            ("<key>password</key><string>abc</string>", "abc"),
            ("<key>password</key>\n<dict>\n<string>abc</string>", "abc"),
            ("<td>Password</td><td>abc</td><td>def</td>", "abc"),
            ('<entry key="password">abc</entry>', "abc"),
            ('<string name="access_token">abc</string>', "abc"),
        ],
    )
    def test_of_condemned_names_are_found(self, text: str, value: str) -> None:
        assert found(pairs.elements, text) == [value]

    @pytest.mark.parametrize(
        "text",
        [
            *(
                "<steps>100</steps>",
                "<token/>abc",
                "<token></token>",
                "<b>Token</b> of love",
                "a<b",
            ),
            *(
                "<td>Steps</td><td>100</td>",
                '<input name="password">abc',
                '<i id="session">abc</i>',
            ),
            *(
                '<i id="steps">abc</i>',
                "<i steps>abc</i>",
                '<i style="token">abc</i>',
                "<key>password</key><true/>",
            ),
        ],
    )
    def test_others_are_left(self, text: str) -> None:
        assert found(pairs.elements, text) == []

    def test_what_is_disclosed_is_left(self) -> None:
        assert found(pairs.elements, "<token>abc</token>", nothing) == []


class TestFlags:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("prog --access-token abc --x", "abc"),
            ("prog -password abc", "abc"),
            ('prog --password "a b" c', "a b"),
            ("prog --password 'a b' c", "a b"),
            ("curl -u anna:abc https://x", "abc"),
            ("curl --user 'anna:a b' x", "a b"),
        ],
    )
    def test_of_condemned_options_are_found(self, text: str, value: str) -> None:
        assert found(pairs.flags, text) == [value]

    @pytest.mark.parametrize(
        "text",
        [
            *("prog --dry-run 3", "-5 degrees", "a -- b", "--password --x", "a--token b", "-u 5"),
            *("-u anna:", "--user anna", "-x anna:abc", "--token"),
        ],
    )
    def test_others_are_left(self, text: str) -> None:
        assert found(pairs.flags, text) == []


class TestSegments:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("https://x.org/reset-password/abc123/x", "abc123"),
            ("https://x.org/access_token/abc123?a=1", "abc123"),
            ("https://x.org/token/q7Zr1Kd93mWx", "q7Zr1Kd93mWx"),
            ("https://api.fitbit.com/1/user/9QZ4XW/profile.json", "9QZ4XW"),
            ("/users/12345/x", "12345"),
        ],
    )
    def test_behind_a_condemned_one_are_found(self, text: str, value: str) -> None:
        assert found(pairs.segments, text) == [value]

    @pytest.mark.parametrize(
        "text",
        [
            *("https://api.fitbit.com/1/user/-/profile.json", "/user/profile", "/token/refresh"),
            *("/password/reset", "/token/v2", "/city/berlin12", "/steps/12345678", "/token", "//"),
        ],
    )
    def test_others_are_left(self, text: str) -> None:
        assert found(pairs.segments, text) == []

    def test_what_is_disclosed_is_left(self) -> None:
        assert found(pairs.segments, "/user/9QZ4XW /password/abc123", nothing) == []


class TestCost:
    """Invariant *linear*: a value is passed over once it is condemned, a name once acquitted."""

    @pytest.mark.parametrize(
        ("finder", "motif"),
        [
            (assigned.assignments, "a-"),
            (assigned.assignments, "a "),
            (assigned.assignments, "[0]"),
            (assigned.assignments, "token:\n  "),
            (assigned.assignments, "token=["),
            (assigned.assignments, "is authorization "),
            (assigned.assignments, "'token' is token: "),
            (assigned.assignments, "Authorization: "),
            (assigned.assignments, 'Session: "'),
            (assigned.neighbours, "a1-"),
            (pairs.items, "'a',\""),
            (pairs.items, '"token","a",'),
            (pairs.attributes, "name=token value={"),
            (pairs.attributes, "token="),
            (pairs.attributes, "a=\"b='"),
            (pairs.attributes, 'name="'),
            (pairs.parts, ' name="'),
            (pairs.elements, "<token>"),
            (pairs.elements, "<key>pin</key>"),
            (pairs.flags, "-token "),
            (pairs.segments, "/token"),
        ],
    )
    def test_grows_with_the_text(self, finder: Finder, motif: str) -> None:
        def find(text: str) -> object:
            return list(finder(text, everything))

        assert_linear(find, lambda size: motif * size, 20_000 // len(motif))
