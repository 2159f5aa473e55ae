"""Published snapshots: bytes, content codings, validators."""

import gzip
import zlib
from hashlib import blake2b

import pytest
import zstandard

from purewire.adapters.compression import CODINGS, GZIP, ZSTD
from purewire.http.conditional import is_valid_etag
from purewire.http.content_coding import ContentCoding, ContentCodingError
from sitedata import SiteDataError, encode
from sitedata.limits import MAX_BYTES
from sitedata.serving.published import publish
from support.sitedata.site_versions import GENERATED_AT, LATER, body_of, snapshot_of

BODY = body_of(1)


class TestPublish:
    def test_bytes_are_sent_unchanged(self) -> None:
        spaced = BODY.replace(b',"', b', "')
        assert publish(spaced).asset.body == spaced

    def test_a_snapshot_is_encoded(self) -> None:
        assert publish(snapshot_of(3)).asset.body == encode(snapshot_of(3))

    @pytest.mark.parametrize("body", [b"", b"{", b"{}", b"null", BODY[:-3]])
    def test_an_invalid_snapshot_is_refused(self, body: bytes) -> None:
        """Invariant *valid only*."""
        with pytest.raises(SiteDataError):
            publish(body)

    def test_every_coding_decodes_to_the_body(self) -> None:
        coded = publish(BODY, CODINGS).encoded
        assert gzip.decompress(coded["gzip"].body) == BODY
        assert zstandard.decompress(coded["zstd"].body) == BODY

    def test_a_coding_that_saves_nothing_is_omitted(self) -> None:
        longer = ContentCoding("longer", lambda body: body + b"!", lambda body, most: body[:most])
        same = ContentCoding("same", lambda body: body, lambda body, most: body[:most])
        assert list(publish(BODY, [longer, GZIP, same]).encoded) == ["gzip"]

    def test_the_smallest_coding_is_first(self) -> None:
        halves = ContentCoding(
            "half", lambda body: body[: len(body) // 2], lambda body, most: body[:most]
        )
        tenth = ContentCoding(
            "tenth", lambda body: body[: len(body) // 10], lambda body, most: body[:most]
        )
        assert list(publish(BODY, [halves, tenth]).encoded) == ["tenth", "half"]


class TestValidators:
    def test_each_body_has_a_tag_of_its_own(self) -> None:
        """Invariant *one tag, one body*."""
        published = publish(BODY, CODINGS)
        assets = [published.asset, *published.encoded.values()]
        for asset in assets:
            assert asset.etag == f'"{blake2b(asset.body, digest_size=16).hexdigest()}"'
            assert is_valid_etag(asset.etag)
        assert len({asset.etag for asset in assets}) == 3

    def test_the_same_bytes_have_the_same_tags(self) -> None:
        one, other = publish(BODY, CODINGS), publish(BODY, CODINGS)
        assert (one.asset, one.encoded) == (other.asset, other.encoded)

    def test_last_modified_is_when_it_was_built(self) -> None:
        published = publish(BODY, CODINGS)
        for asset in (published.asset, *published.encoded.values()):
            assert asset.last_modified == "Thu, 01 Jan 2026 00:00:00 GMT"

    @pytest.mark.parametrize("now", [GENERATED_AT - LATER, GENERATED_AT, GENERATED_AT + 999])
    def test_no_last_modified_in_the_same_second_or_later(self, now: int) -> None:
        """Invariant *no future Last-Modified*."""
        published = publish(BODY, CODINGS)
        early = published.as_of(now)
        assert early.asset.last_modified is None
        assert all(asset.last_modified is None for asset in early.encoded.values())
        assert early.asset.etag == published.asset.etag
        assert list(early.encoded) == list(published.encoded)

    def test_from_the_next_second_on_last_modified_is_sent(self) -> None:
        published = publish(BODY, CODINGS)
        assert published.as_of(GENERATED_AT + 1000) is published


class TestCodings:
    @pytest.mark.parametrize("coding", [GZIP, ZSTD], ids=lambda coding: coding.name)
    def test_compression_is_deterministic(self, coding: ContentCoding) -> None:
        assert coding.compress(BODY) == coding.compress(BODY)
        assert coding.decompress(coding.compress(BODY), len(BODY)) == BODY

    def test_gzip_has_no_time(self) -> None:
        assert GZIP.compress(BODY)[4:8] == bytes(4)

    @pytest.mark.parametrize("coding", [GZIP, ZSTD], ids=lambda coding: coding.name)
    def test_truncated_or_other_bytes_are_undecodable(self, coding: ContentCoding) -> None:
        whole = coding.compress(BODY)
        for truncated in (b"", b"{}", whole[:-1], whole[: len(whole) // 2], whole[:3]):
            with pytest.raises(ContentCodingError):
                coding.decompress(truncated, len(BODY))

    @pytest.mark.parametrize("coding", [GZIP, ZSTD], ids=lambda coding: coding.name)
    @pytest.mark.parametrize("more", [b"x", b"y" * 5000])
    def test_trailing_bytes_are_undecodable(self, coding: ContentCoding, more: bytes) -> None:
        with pytest.raises(ContentCodingError):
            coding.decompress(coding.compress(BODY) + more, len(BODY))

    @pytest.mark.parametrize("coding", [GZIP, ZSTD], ids=lambda coding: coding.name)
    def test_a_decompression_bomb_is_not_decoded(self, coding: ContentCoding) -> None:
        bomb = coding.compress(bytes(MAX_BYTES))
        assert len(bomb) < MAX_BYTES // 500
        unpacked = coding.decompress(bomb, 1000)
        assert 1000 < len(unpacked) < MAX_BYTES

    def test_a_window_beyond_the_standard_is_undecodable(self) -> None:
        parameters = zstandard.ZstdCompressionParameters(window_log=27, write_content_size=False)
        packer = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
        frame = packer.compress(b"{}") + packer.flush()
        with pytest.raises(ContentCodingError):
            ZSTD.decompress(frame, 100)

    def test_many_members_are_refused_at_once(self) -> None:
        with pytest.raises(ContentCodingError):
            GZIP.decompress(zlib.compress(b"", 9, 31) * 100_000, 100)
