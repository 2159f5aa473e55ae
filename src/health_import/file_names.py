"""Recognise the files of an export by their names.

Folders differ between years and account languages, so they are ignored: only the last part of a
path counts.

Invariant *nothing else is opened*: a file whose name is not in the table has no kind and is not
read.  That excludes heart rate, location and sensor files, most bytes of a real archive.

Exports of other vendors are recognised too, but not read; an error or the report names the vendor
and the page with its recipe.
"""

import re
from typing import Final

import attrs

from health_import.tables import COLUMNS
from healthapi.rows.mapping import FileDataset

FileKind = str
"""What a file holds: a key of `FORMATS`."""
_DATE: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"


@attrs.frozen
class Format:
    """The files of one kind."""

    name: str  # form of their names, in lower case
    dataset: FileDataset
    columns: tuple[str, ...]  # those that lack values if a file is not read


FORMATS: Final[dict[FileKind, Format]] = {
    "steps": Format(rf"steps-{_DATE}\.json", "activity", ("steps",)),
    "calories": Format(rf"calories-{_DATE}\.json", "activity", ("caloriesOut",)),
    "sedentary": Format(rf"sedentary_minutes-{_DATE}\.json", "activity", ("sedentaryMinutes",)),
    "lightly": Format(
        rf"lightly_active_minutes-{_DATE}\.json",
        "activity",
        ("lightlyActiveMinutes", "activeMinutes"),
    ),
    "fairly": Format(
        rf"moderately_active_minutes-{_DATE}\.json",
        "activity",
        ("fairlyActiveMinutes", "activeMinutes"),
    ),
    "very": Format(
        rf"very_active_minutes-{_DATE}\.json", "activity", ("veryActiveMinutes", "activeMinutes")
    ),
    "resting": Format(rf"resting_heart_rate-{_DATE}\.json", "rhr", ("resting_heart_rate",)),
    "sleep": Format(rf"sleep-{_DATE}\.json", "sleep", COLUMNS["sleep"]),
    "exercise": Format(r"exercise-[0-9]+\.json", "activity", ("exerciseExamples",)),
    "sleep-score": Format(r"sleep_score\.csv", "sleep", ("sleepScore",)),
    "hrv-summary": Format(
        r"daily heart rate variability summary - [0-9 ()-]+\.csv", "hrv", ("dailyRmssd",)
    ),
    "zone-minutes": Format(
        rf"active zone minutes - {_DATE}\.csv", "activity", ("activeZoneMinutes",)
    ),
    # those of the folders `Physical Activity_GoogleData` and `Health Fitness Data_GoogleData`
    "google-steps": Format(rf"steps_{_DATE}\.csv", "activity", ("steps",)),
    "google-calories": Format(  # which show the clock of the others
        rf"calories_{_DATE}\.csv", "activity", ("steps", "exerciseExamples")
    ),
    "google-hrv": Format(
        rf"daily_heart_rate_variability(_{_DATE})?\.csv", "hrv", ("dailyRmssd", "deepRmssd")
    ),
    "google-resting": Format(
        rf"daily_resting_heart_rate(_{_DATE})?\.csv", "rhr", ("resting_heart_rate",)
    ),
    "google-zone": Format(
        rf"active_zone_minutes(_{_DATE})?\.csv", "activity", ("activeZoneMinutes",)
    ),
    "google-sleeps": Format(rf"usersleeps_{_DATE}\.csv", "sleep", COLUMNS["sleep"]),
    "google-stages": Format(rf"usersleepstages_{_DATE}\.csv", "sleep", COLUMNS["sleep"]),
    "google-scores": Format(rf"usersleepscores_{_DATE}\.csv", "sleep", ("sleepScore",)),
}
_SEPARATORS: Final = re.compile(r"[/\\]")
COPY: Final = re.compile(r" ?\([0-9]+\)(?=\.\w+\Z)")
"""What a download or an unpacker adds to a name that exists already."""
RECIPES: Final = "https://github.com/status-contracts/status-contracts/blob/main/docs/reference/health-vendors.md"
INNER: Final = "another archive"
"""Stands for a vendor where an archive has another one inside."""
_VENDORS: Final = {
    "Apple Health": r"(.*/)?apple_health_export/.*|(.*/)?(e[xk]s?port\w*|exportación)\.xml",
    "Garmin": r"(.*/)?di_connect/.*|(.*/)?(udsfile_.*|.*_(sleepdata|summarizedactivities))\.json",
    "Oura": r"(.*/)?((sleepmodel|daily(activity|readiness|sleep))\.csv|oura_.*\.(csv|json))",
    "Withings": r"(.*/)?(aggregates_\w+|raw_(bed|hr|tracker)_[\w-]+)\.csv",
    "Samsung Health": r"(.*/)?com\.samsung\.s?health\..*",
    "Polar": r"(.*/)?(training-session|activity|account-data)-.*-[0-9a-f]{12}\.json"
    r"|(.*/)?(247ohr|nightly_recovery|sleep_result)_.*\.json",
    "Whoop": r"(.*/)?(physiological_cycles|journal_entries|sleeps)\.csv",
    "Huawei Health": r"(.*/)?(motion path detail|sport per minute merged|health detail) data.*",
    "Xiaomi": r"(.*/)?(.*mifitness.*|.*hlth_center_.*|(activity|sleep|heartrate_auto)_[0-9]{10,})"
    r"\.csv",
    "Health Auto Export": r"(.*/)?healthautoexport.*\.(csv|json)",
    "Health Connect": r"(.*/)?health_connect_export\.(db|zip)",
    "Google Fit": r"(.*/)?takeout/fit/.*|(.*/)?daily activity metrics\.csv",
    "Fitbit or Google Health": r"(.*/)?(heart_rate|distance|exercise)-.*\.json"
    r"|(.*/)?(fitbit|google health|global export data)/.*",
    INNER: r".*\.(zip|tgz|tar\.gz)",
    "fitbit.com Data Export": r"(.*/)?fitbit_export_[0-9]+( ?\([0-9]+\))?\.csv",
}
_ADVICE: Final = {
    INNER: "it has another archive inside; unpack it and give that one",
    "Fitbit or Google Health": "this export has none of the files that are read, such as steps and"
    " sleep; choose all data of Fitbit or Google Health when you create it",
}
_READ_WITH: Final = {"Apple Health": "apple", "Garmin": "garmin"}
_WITHOUT_RECIPE: Final = frozenset(
    {
        *("Polar", "Huawei Health", "Xiaomi", "Google Fit", "Health Connect"),
        "fitbit.com Data Export",
    }
)
_NAME_LENGTH: Final = 300
"""Code points of the end of a path that are compared; forms take more than linear time."""
_VENDOR_FORMS: Final = {vendor: re.compile(form, re.DOTALL) for vendor, form in _VENDORS.items()}


def kind_of(path: str) -> FileKind | None:
    """Return the kind of a file of an archive; None for one that is not read."""
    name = COPY.sub("", _SEPARATORS.split(path)[-1].lower())
    return next((kind for kind, form in FORMATS.items() if re.fullmatch(form.name, name)), None)


def vendor_of(path: str) -> str | None:
    """Return the vendor whose exports have a file of such a name; None for an unknown one."""
    name = path[-_NAME_LENGTH:].replace("\\", "/").lower()
    return next((vendor for vendor, form in _VENDOR_FORMS.items() if form.fullmatch(name)), None)


def advice(vendor: str) -> str:
    """Return what an export is, and where it is described what to do with it."""
    if vendor in _ADVICE:
        return _ADVICE[vendor]
    heading = "other vendors" if vendor in _WITHOUT_RECIPE else vendor
    anchor = heading.lower().replace(" ", "-")
    if vendor in _READ_WITH:
        return f"this is an export of {vendor}: give it alone, with --from {_READ_WITH[vendor]}"
    return f"this is an export of {vendor}, which is not read; what to do: {RECIPES}#{anchor}"
