"""The cache of the responses of a profile."""

from threading import Thread

from hypothesis import given
from hypothesis import strategies as st

from healthapi.service import BoundedCache


class TestBoundedCache:
    def test_what_was_put_is_there(self) -> None:
        cache: BoundedCache[str] = BoundedCache(max_bytes=10, max_results=3)
        cache.put("a", "x", 4)
        assert cache.get("a") == "x"
        assert cache.get("b") is None
        assert (len(cache), cache.size) == (1, 4)

    def test_one_byte_more_forgets_what_was_there(self) -> None:
        cache: BoundedCache[str] = BoundedCache(max_bytes=10, max_results=3)
        cache.put("a", "x", 5)
        cache.put("b", "y", 6)
        assert cache.get("a") is None
        assert cache.get("b") == "y"
        assert cache.size == 6

    def test_one_result_more_forgets_what_was_there(self) -> None:
        cache: BoundedCache[int] = BoundedCache(max_bytes=10, max_results=3)
        for number in range(4):
            cache.put(number, number, 1)
        assert [cache.get(number) for number in range(4)] == [None, None, None, 3]

    def test_a_result_larger_than_all_may_be_changes_nothing(self) -> None:
        cache: BoundedCache[str] = BoundedCache(max_bytes=10, max_results=3)
        cache.put("a", "x", 10)
        cache.put("b", "y", 11)
        assert cache.get("a") == "x"
        assert cache.get("b") is None

    @given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 12))))
    def test_no_bound_is_ever_passed(self, story: list[tuple[int, int]]) -> None:
        cache: BoundedCache[int] = BoundedCache(max_bytes=10, max_results=3)
        sizes: dict[int, int] = {}
        for key, size in story:
            if cache.get(key) is None:
                sizes[key] = size
            cache.put(key, key, size)
            held = [key for key in range(9) if cache.get(key) is not None]
            assert len(cache) == len(held) <= 3
            assert cache.size == sum(sizes[key] for key in held) <= 10

    def test_threads_never_pass_a_bound(self) -> None:
        cache: BoundedCache[int] = BoundedCache(max_bytes=100, max_results=16)
        wrong: list[int] = []

        def work(start: int) -> None:
            for number in range(start, start + 2000):
                cache.put(number, number, 7)
                found = cache.get(number)
                if cache.size > 100 or len(cache) > 16 or found not in (None, number):
                    wrong.append(number)

        threads = [Thread(target=work, args=(start,)) for start in (0, 1000, 5000)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []
