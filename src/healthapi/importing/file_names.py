"""Recognise the files of an export by their names.

Folders differ between years and account languages, so they are ignored: only the last part of a
path counts.

Invariant *nothing else is opened*: a file whose name is not in the table has no kind and is not
read.  That excludes heart rate, location and sensor files, most bytes of a real archive.

Exports of other vendors are recognised too, but not read; an error or the report names the vendor
and the page with its recipe.
"""

import re
from typing import Final, Literal, get_args

Level = Literal["sedentary", "lightly", "fairly", "very"]
"""A level of activity, with its minutes of a day."""
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
FileKind = Literal[
    "steps",
    "calories",
    "sedentary",
    "lightly",
    "fairly",
    "very",
    "resting",
    "sleep",
    "exercise",
    "sleep-score",
    "hrv-summary",
    "zone-minutes",
    "google-steps",
    "google-calories",
    "google-hrv",
    "google-resting",
    "google-zone",
    "google-sleeps",
    "google-stages",
    "google-scores",
]
"""What a file holds; `google-` files are of the folders `Physical Activity_GoogleData` and such."""
_DATE: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_NAMES: Final[dict[FileKind, str]] = {
    "steps": rf"steps-{_DATE}\.json",
    "calories": rf"calories-{_DATE}\.json",
    "sedentary": rf"sedentary_minutes-{_DATE}\.json",
    "lightly": rf"lightly_active_minutes-{_DATE}\.json",
    "fairly": rf"moderately_active_minutes-{_DATE}\.json",
    "very": rf"very_active_minutes-{_DATE}\.json",
    "resting": rf"resting_heart_rate-{_DATE}\.json",
    "sleep": rf"sleep-{_DATE}\.json",
    "exercise": r"exercise-[0-9]+\.json",
    "sleep-score": r"sleep_score\.csv",
    "hrv-summary": r"daily heart rate variability summary - [0-9 ()-]+\.csv",
    "zone-minutes": rf"active zone minutes - {_DATE}\.csv",
    "google-steps": rf"steps_{_DATE}\.csv",
    "google-calories": rf"calories_{_DATE}\.csv",
    "google-hrv": rf"daily_heart_rate_variability(_{_DATE})?\.csv",
    "google-resting": rf"daily_resting_heart_rate(_{_DATE})?\.csv",
    "google-zone": rf"active_zone_minutes(_{_DATE})?\.csv",
    "google-sleeps": rf"usersleeps_{_DATE}\.csv",
    "google-stages": rf"usersleepstages_{_DATE}\.csv",
    "google-scores": rf"usersleepscores_{_DATE}\.csv",
}
_FORMS: Final = {kind: re.compile(form) for kind, form in _NAMES.items()}
_SEPARATORS: Final = re.compile(r"[/\\]")
COPY: Final = re.compile(r" ?\([0-9]+\)(?=\.\w+\Z)")
"""What a download or an unpacker adds to a name that exists already."""
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
_VENDOR_FORMS: Final = {vendor: re.compile(form, re.DOTALL) for vendor, form in _VENDORS.items()}


def kind_of(path: str) -> FileKind | None:
    """Return the kind of a file of an archive; None for one that is not read."""
    name = COPY.sub("", _SEPARATORS.split(path)[-1].lower())
    return next((kind for kind, form in _FORMS.items() if form.fullmatch(name)), None)


def vendor_of(path: str) -> str | None:
    """Return the vendor whose exports have a file of such a name; None for an unknown one."""
    name = path[-_NAME_LENGTH:].replace("\\", "/").lower()
    return next((vendor for vendor, form in _VENDOR_FORMS.items() if form.fullmatch(name)), None)


def advice(vendor: str) -> str:
    """Return what an export is, and where it is described what to do with it."""
    heading = "other vendors" if vendor in _WITHOUT_RECIPE else vendor.replace(".", "")
    anchor = heading.lower().replace(" ", "-")
    return f"this is an export of {vendor}, which is not read; what to do: {RECIPES}#{anchor}"
