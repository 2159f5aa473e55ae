"""Recognise the files of an export by their names.

Folders differ between years and account languages, so only the last part of a path counts.

Invariant *nothing else is opened*: a file whose name is not in the table has no kind and is not
read.  That excludes heart rate, location and sensor files, most bytes of a real archive.

Exports of other vendors are recognised too; an error or the report says what to do with them.
"""

import re
from typing import Final

FileKind = str
"""What a file holds: a key of `_NAMES`."""
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
    # those of the folders `Physical Activity_GoogleData` and `Health Fitness Data_GoogleData`
    "google-steps": rf"steps_{_DATE}\.csv",
    "google-hrv": rf"daily_heart_rate_variability(_{_DATE})?\.csv",
    "google-resting": rf"daily_resting_heart_rate(_{_DATE})?\.csv",
    "google-zone": rf"active_zone_minutes(_{_DATE})?\.csv",
    "google-sleeps": rf"usersleeps_{_DATE}\.csv",
    "google-stages": rf"usersleepstages_{_DATE}\.csv",
    "google-scores": rf"usersleepscores_{_DATE}\.csv",
}
"""Kind to the form of the names of its files, in lower case."""
COPY: Final = re.compile(r" ?\([0-9]+\)(?=\.\w+\Z)")
"""What a download or an unpacker adds to a name that exists already."""
RECIPES: Final = "https://github.com/status-contracts/status-contracts/blob/main/docs/reference/health-vendors.md"
INNER: Final = "another archive"  # inside: in place of a vendor
OWN: Final = "files that are read"
"""In place of a vendor: an archive that needs no `--from`."""
_VENDORS: Final = {
    "Apple Health": r"(.*/)?apple_health_export/.*|(.*/)?e[xk]s?port[^/]*\.xml",
    "Garmin": r"(.*/)?di_connect/.*|(.*/)?(udsfile_.*|.*_(sleepdata|summarizedactivities))\.json",
    "Oura": r"(.*/)?((sleepmodel|daily(activity|readiness|sleep))\.csv|oura_.*\.(csv|json))",
    "Withings": r"(.*/)?(aggregates_\w+|raw_(bed|hr|tracker)_[\w-]+)\.csv",
    "Samsung Health": r"(.*/)?com\.samsung\.s?health\..*",
    "Polar": r"(.*/)?(training-session|activity|account-data)-.*-[0-9a-f]{12}\.json"
    r"|(.*/)?(247ohr|nightly_recovery|sleep_result)_.*\.json",
    "WHOOP": r"(.*/)?(physiological_cycles|journal_entries|sleeps)\.csv",
    "Huawei Health": r"(.*/)?(motion path detail|sport per minute merged|health detail) data.*",
    "Xiaomi": r"(.*/)?(.*mifitness.*|.*hlth_center_.*"
    r"|(activity|sleep|heartrate|sport)(_[a-z]+)?_[0-9]{10,})\.csv",
    "Health Auto Export": r"(.*/)?healthautoexport.*\.(csv|json)",
    "Health Connect": r"(.*/)?health_connect_export\.(db|zip)",
    "Google Fit": r"(.*/)?takeout/fit/.*|(.*/)?daily activity metrics\.csv",
    "Fitbit or Google Health": r"(.*/)?(heart_rate|distance|exercise)-.*\.json"
    r"|(.*/)?(fitbit|google health|global export data)/.*",
    INNER: r".*\.(zip|7z|rar|tgz|tar|tar\.\w+)",
    "fitbit.com Data Export": r"(.*/)?fitbit_export_[0-9]+( ?\([0-9]+\))?\.csv",
}
_ADVICE: Final = {
    INNER: "it has another archive inside; unpack it and give that one",
    OWN: "this looks like an export of Fitbit or Google Health; leave out --from",
    "Fitbit or Google Health": "this export has none of the files that are read, such as steps and"
    " sleep; choose all data of Fitbit or Google Health when you create it",
}
_READ_WITH: Final = {"Apple Health": "apple", "Garmin": "garmin"}
_WITH_RECIPE: Final = ("Oura", "WHOOP", "Samsung Health", "Withings", "Health Auto Export")
_NAME_LENGTH: Final = 300
"""Code points of the end of a path that are compared; forms take more than linear time."""


def kind_of(path: str) -> FileKind | None:
    """Return the kind of a file of an archive; None for one that is not read."""
    name = COPY.sub("", path.replace("\\", "/").rpartition("/")[2].lower())
    return next((kind for kind, form in _NAMES.items() if re.fullmatch(form, name)), None)


def vendor_of(path: str) -> str | None:
    """Return the vendor whose exports have a file of such a name; None for an unknown one."""
    name = path[-_NAME_LENGTH:].replace("\\", "/").lower()
    matches = (vendor for vendor, form in _VENDORS.items() if re.fullmatch(form, name, re.DOTALL))
    return next(matches, None)


def advice(vendor: str) -> str:
    """Return what an export is, and where it is described what to do with it."""
    if vendor in _ADVICE:
        return _ADVICE[vendor]
    if vendor in _READ_WITH:
        return f"this is an export of {vendor}: give it alone, with --from {_READ_WITH[vendor]}"
    heading = vendor if vendor in _WITH_RECIPE else "other vendors"
    anchor = heading.lower().replace(" ", "-")
    return f"this is an export of {vendor}, which is not read; what to do: {RECIPES}#{anchor}"
