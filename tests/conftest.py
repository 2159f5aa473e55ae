"""Settings that every test shares."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    deadline=None,  # the machines are shared: a slow example is no failure
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("default")
