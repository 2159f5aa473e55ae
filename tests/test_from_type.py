"""The modules of strategies register the models, so that `from_type` draws them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import devicestatus
import healthapi
import sitedata
from devicestatus import strategies as device_strategies
from healthapi import strategies as health_strategies
from sitedata import strategies as site_strategies

MODULES = (device_strategies, health_strategies, site_strategies)
MODELS = (
    *(devicestatus.Battery, devicestatus.Music, devicestatus.Snapshot, devicestatus.System),
    *(devicestatus.Window, devicestatus.WindowChanges, healthapi.Profile),
    *(sitedata.Problem, sitedata.Snapshot),
)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: f"{model.__module__}.{model.__name__}")
@settings(max_examples=3)
@given(data=st.data())
def test_a_model_is_drawn_by_its_type(model: type, data: st.DataObject) -> None:
    assert all(module.__all__ for module in MODULES)
    assert isinstance(data.draw(st.from_type(model)), model)


@settings(max_examples=3)
@given(st.from_type(devicestatus.Snapshot))
def test_drawn_snapshots_are_valid(snapshot: devicestatus.Snapshot) -> None:
    assert not devicestatus.check_snapshot(devicestatus.encode(snapshot))
