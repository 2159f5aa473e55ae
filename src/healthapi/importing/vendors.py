"""Recognise the exports of other vendors by the names of their files.

These exports are not read; an error or the report names the vendor and the page with its recipe.
"""

import re
from typing import Final

__all__ = ["RECIPES", "advice", "vendor_of"]

RECIPES: Final = "https://github.com/status-contracts/status-contracts/blob/main/docs/reference/health-vendors.md"
_VENDORS: Final[dict[str, str]] = {
    "Apple Health": r"(.*/)?apple_health_export/.*|(.*/)?(export\w*|exportación)\.xml",
    "Garmin": r"(.*/)?di_connect/.*|(.*/)?(udsfile_.*|.*_(sleepdata|summarizedactivities))\.json",
    "Oura": r"(.*/)?((sleepmodel|daily(activity|readiness|sleep))\.csv|oura_.*\.(csv|json))",
    "Withings": r"(.*/)?(aggregates_\w+|raw_(bed|hr|tracker)_[\w-]+)\.csv",
    "Samsung Health": r"(.*/)?com\.samsung\.s?health\..*",
    "Polar": r"(.*/)?(training-session|activity|account-data)-.*-[0-9a-f]{12}\.json"
    r"|(.*/)?(247ohr|nightly_recovery|sleep_result)_.*\.json",
    "Whoop": r"(.*/)?(physiological_cycles|journal_entries)\.csv",
    "Huawei Health": r"(.*/)?(motion path detail|sport per minute merged|health detail) data.*",
    "Xiaomi": r"(.*/)?(.*mifitness.*|.*hlth_center_.*|(activity|sleep|heartrate_auto)_[0-9]{10,})"
    r"\.csv",
    "Health Connect": r"(.*/)?health_connect_export\.(db|zip)",
    "Google Fit": r"(.*/)?takeout/fit/.*|(.*/)?daily activity metrics\.csv",
    "fitbit.com Data Export": r"(.*/)?fitbit_export_[0-9]+( ?\([0-9]+\))?\.csv",
}
_WITHOUT_RECIPE: Final = frozenset({"Polar", "Whoop", "Huawei Health", "Xiaomi", "Google Fit"})
_NAME_LENGTH: Final = 300
"""Code points of the end of a path that are compared; forms take more than linear time."""
_FORMS: Final = {vendor: re.compile(form, re.DOTALL) for vendor, form in _VENDORS.items()}


def vendor_of(path: str) -> str | None:
    """Return the vendor whose exports have a file of such a name; None for an unknown one."""
    name = path[-_NAME_LENGTH:].replace("\\", "/").lower()
    return next((vendor for vendor, form in _FORMS.items() if form.fullmatch(name)), None)


def advice(vendor: str) -> str:
    """Return what an export is, and where it is described what to do with it."""
    heading = "other vendors" if vendor in _WITHOUT_RECIPE else vendor.replace(".", "")
    anchor = heading.lower().replace(" ", "-")
    return f"this is an export of {vendor}, which is not read; what to do: {RECIPES}#{anchor}"
