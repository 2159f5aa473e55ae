"""Run an exchange and perform its effects: blocking, or on an event loop."""

from collections.abc import Awaitable, Callable
from contextlib import closing
from typing import Any

from purewire.exchange.effects import Disconnected, Effect, EffectFailed, Exchange
from purewire.http.messages import Response


def drive(exchange: Exchange, perform: Callable[[Effect], object]) -> Response:
    """Run an exchange to its response with a blocking `perform`."""
    step: Callable[[Any], Effect] = exchange.send
    result: object = None
    with closing(exchange):
        while True:
            try:
                effect = step(result)
            except StopIteration as stop:
                response: Response = stop.value
                return response
            try:
                step, result = exchange.send, perform(effect)
            except Disconnected:
                raise
            except Exception as error:  # noqa: BLE001 - a store may raise anything; it is thrown in
                step, result = exchange.throw, _failure(error)


async def drive_async(
    exchange: Exchange, perform: Callable[[Effect], Awaitable[object]]
) -> Response:
    """Run an exchange to its response with an awaitable `perform`."""
    step: Callable[[Any], Effect] = exchange.send
    result: object = None
    with closing(exchange):
        while True:
            try:
                effect = step(result)
            except StopIteration as stop:
                response: Response = stop.value
                return response
            try:
                step, result = exchange.send, await perform(effect)
            except Disconnected:
                raise
            except Exception as error:  # noqa: BLE001 - a store may raise anything; it is thrown in
                step, result = exchange.throw, _failure(error)


def _failure(error: Exception) -> EffectFailed:
    failure = EffectFailed()
    failure.__cause__ = error
    return failure
