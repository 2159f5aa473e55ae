"""The drivers keep three invariants: one response, raised failures, results with times."""

import asyncio
from collections.abc import Callable
from typing import NoReturn

import pytest

from status_contracts.exchange import (
    Body,
    Disconnected,
    Effect,
    EffectFailed,
    Exchange,
    ReadAsset,
    ReadBody,
    ReadSource,
    ReadStore,
    Stored,
    WriteStore,
    drive,
    drive_async,
)
from status_contracts.messages import Asset, Response

Perform = Callable[[Effect], object]
Run = Callable[[Exchange, Perform], Response]

DONE = Response(200, ())
FAILED = Response(503, ())


def _run_async(exchange: Exchange, perform: Perform) -> Response:
    async def awaited(effect: Effect) -> object:
        await asyncio.sleep(0)
        return perform(effect)

    return asyncio.run(drive_async(exchange, awaited))


@pytest.fixture(params=[drive, _run_async], ids=["sync", "async"])
def run(request: pytest.FixtureRequest) -> Run:
    chosen: Run = request.param
    return chosen


def raising(fault: BaseException) -> Perform:
    def perform(effect: Effect) -> NoReturn:
        raise fault

    return perform


class TestOneResponse:
    def test_effects_are_performed_once_each_in_order_and_results_are_sent_in(
        self, run: Run
    ) -> None:
        results: dict[Effect, object] = {
            ReadBody(10): Body(b"x", 5),
            ReadStore("k"): Stored(b"v", 6),
            WriteStore("k", b"v", 9): None,
            ReadAsset("a.png"): Asset(b"png"),
            ReadSource("n"): ("anything",),
            ReadSource(None): frozenset({"n"}),
        }
        asked: list[Effect] = []
        got: list[object] = []

        def exchange() -> Exchange:
            got.append((yield from ReadBody(10)))
            got.append((yield from ReadStore("k")))
            yield from WriteStore("k", b"v", 9)
            got.append((yield from ReadAsset("a.png")))
            got.append((yield from ReadSource("n")))
            got.append((yield from ReadSource(None)))
            return DONE

        def perform(effect: Effect) -> object:
            asked.append(effect)
            return results[effect]

        assert run(exchange(), perform) is DONE
        assert asked == list(results)
        assert got == [result for result in results.values() if result is not None]

    def test_an_exception_of_the_exchange_itself_propagates(self, run: Run) -> None:
        def exchange() -> Exchange:
            yield from ReadBody(1)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            run(exchange(), lambda _: Body(b"", 0))


class TestFailures:
    @pytest.mark.parametrize(
        "fault", [OSError("secret"), StopIteration()], ids=lambda fault: type(fault).__name__
    )
    def test_an_exception_reaches_the_exchange_as_effect_failed(
        self, run: Run, fault: Exception
    ) -> None:
        seen: list[EffectFailed] = []

        def exchange() -> Exchange:
            try:
                yield from ReadStore("k")
            except EffectFailed as failure:
                seen.append(failure)
                return FAILED
            return DONE

        assert run(exchange(), raising(fault)) is FAILED
        (failure,) = seen
        assert str(failure) == ""
        # A coroutine cannot raise StopIteration: the language makes it a RuntimeError.
        assert failure.__cause__ is fault or isinstance(failure.__cause__, RuntimeError)

    def test_an_exchange_may_continue_after_a_failure(self, run: Run) -> None:
        def exchange() -> Exchange:
            with pytest.raises(EffectFailed):
                yield from ReadStore("broken")
            stored = yield from ReadStore("sound")
            assert stored == Stored(b"v", 1)
            return DONE

        def perform(effect: Effect) -> object:
            if effect == ReadStore("broken"):
                raise OSError
            return Stored(b"v", 1)

        assert run(exchange(), perform) is DONE


class TestPropagation:
    @pytest.mark.parametrize(
        "fault",
        [Disconnected(), KeyboardInterrupt(), GeneratorExit()],
        ids=lambda fault: type(fault).__name__,
    )
    def test_it_is_not_thrown_in_and_the_exchange_is_closed(
        self, run: Run, fault: BaseException
    ) -> None:
        log: list[str] = []

        def exchange() -> Exchange:
            try:
                yield from ReadBody(1)
            except Exception:  # noqa: BLE001 - nothing of the kind may arrive here
                log.append("thrown in")
            finally:
                log.append("closed")
            return DONE

        with pytest.raises(type(fault)):
            run(exchange(), raising(fault))
        assert log == ["closed"]

    def test_cancelling_closes_the_exchange_and_passes(self) -> None:
        log: list[str] = []

        def exchange() -> Exchange:
            try:
                yield from ReadStore("k")
            finally:
                log.append("closed")
            return DONE

        async def main() -> None:
            started = asyncio.Event()

            async def perform(effect: Effect) -> object:
                started.set()
                return await asyncio.Event().wait()

            task = asyncio.create_task(drive_async(exchange(), perform))
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(main())
        assert log == ["closed"]
