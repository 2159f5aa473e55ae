"""Design decisions under "Configuration": lifetimes, the token, names and hosts.

Invariant *invalid values are accepted*: any value makes settings; invalid ones show as None.
Invariant *the token is never shown*.
"""

import copy
import json
import pickle
from pprint import pformat
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus.music_urls import CatalogHosts
from devicestatus.settings import DEFAULT_SERVICE_NAME, Settings
from support.devicestatus.examples import TOKEN

SECRET = "tOpSeCrEt" + "0123456789abcdef" * 2


class TestLifetime:
    @pytest.mark.parametrize(
        "value", [True, False, 60.0, 180.0, float("nan"), float("inf"), b"60", [60], (), {}, 60j]
    )
    def test_a_value_of_another_type_is_invalid(self, value: Any) -> None:
        assert Settings(TOKEN, value).ttl_seconds is None

    @given(st.text(st.sampled_from("0123456789+- _.eco\n\uff16"), max_size=6) | st.text(max_size=5))
    def test_text_counts_only_as_it_would_be_written(self, text: str) -> None:
        seconds = Settings(TOKEN, text).ttl_seconds
        written = {str(number): number for number in range(60, 3601)} | {"eco": 180, "realtime": 60}
        assert seconds == written.get(text)


@pytest.mark.rule("DS-TOKEN-06", "DS-TOKEN-07")
class TestToken:
    @pytest.mark.parametrize("length", [32, 33, 64, 1023, 1024])
    @pytest.mark.parametrize("sign", ["a", "é", "名", "🔑", "\U0010ffff"])
    def test_32_to_1024_code_points_are_a_token(self, sign: str, length: int) -> None:
        settings = Settings(sign * length)
        assert settings.token is not None
        assert settings.token.authorizes((b"Bearer " + (sign * length).encode(),))

    @pytest.mark.parametrize("value", [b"f" * 64, 7, ["f" * 64], object(), {"f" * 64}])
    def test_a_value_of_another_type_is_no_token(self, value: object) -> None:
        assert Settings(value).token is None

    def test_a_lone_surrogate_of_the_environment_makes_a_token_that_is_no_error(self) -> None:
        token = Settings(TOKEN + "\udc80").token
        assert token is not None
        assert not token.authorizes((b"Bearer " + TOKEN.encode(),))
        assert not token.authorizes((b"Bearer " + TOKEN.encode() + b"\x80",))


@pytest.mark.rule("DS-TOKEN-12")
class TestTokenIsNeverShown:
    def test_neither_their_text_nor_a_copy_nor_all_that_they_hold_shows_it(self) -> None:
        settings = Settings(SECRET, "eco")
        kept = pickle.dumps(settings)
        members = attrs.asdict(settings)
        copies = copy.copy(settings), copy.deepcopy(settings), attrs.astuple(settings)
        all_forms = settings, members, *copies, attrs.evolve(settings, service_name="other")
        shown = f"{settings} {all_forms!r} {pformat(all_forms)} {json.dumps(members, default=repr)}"
        for hidden in (SECRET, "tOpSeCrEt", SECRET.encode().hex()):
            assert hidden.encode() not in kept + shown.encode()
        assert pickle.loads(kept) == settings  # noqa: S301 - made above


@pytest.mark.rule("DS-CONFIG-07")
class TestDefaults:
    def test_the_service_name_has_a_default(self) -> None:
        assert Settings(TOKEN).service_name == DEFAULT_SERVICE_NAME == "device-status"

    def test_a_service_name_can_always_be_sent(self) -> None:
        assert Settings(TOKEN, service_name="n\udcffme").service_name == "n?me"
        assert Settings(TOKEN, service_name="名前 🖥").service_name == "名前 🖥"


class TestFromEnviron:
    def test_an_empty_environment_yields_the_defaults_and_no_token(self) -> None:
        assert Settings.from_environ({}) == Settings(None)

    def test_every_name_is_read(self) -> None:
        environ = {
            "INGEST_TOKEN": TOKEN,
            "STATUS_TTL_SECONDS": "eco",
            "SERVICE_NAME": "desk",
            "CATALOG_ARTWORK_DOMAIN": " Img.Example ",
            "CATALOG_TRACK_HOSTS": "Music.Example, www.example,",
        }
        catalog = CatalogHosts("img.example", frozenset({"music.example", "www.example", ""}))
        assert Settings.from_environ(environ) == Settings(TOKEN, "eco", "desk", catalog)

    def test_the_token_is_taken_as_it_stands(self) -> None:
        assert Settings.from_environ({"INGEST_TOKEN": TOKEN}).token is not None
        assert Settings.from_environ({"INGEST_TOKEN": f"{TOKEN}\n"}).token is None
        assert Settings.from_environ({"INGEST_TOKEN": ""}).token is None
