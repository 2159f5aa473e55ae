# make_archive.py
"""Write 90 made-up days in the form of Google Takeout for Fitbit."""

import json
import sys
import zipfile
from datetime import date, datetime, time, timedelta
from math import sin
from pathlib import Path
from random import Random

if Path("takeout.zip").exists():
    sys.exit("there is a takeout.zip here already: run this in another folder")
random = Random(13)
days = [date(2026, 8, 24) + timedelta(number) for number in range(90)]
worn = [day for day in days if not date(2026, 10, 3) <= day <= date(2026, 10, 6)]

steps, sleeps, resting, scores, variability = [], [], [], [], []
for number, day in enumerate(worn):
    at = f"{day:%m/%d/%y} 00:00:00"
    form = sin(number / 12) + random.uniform(-0.7, 0.7)  # better and worse weeks
    weekend = day.isoweekday() in {6, 7}

    asleep = round(425 + 12 * form + 30 * weekend + random.uniform(-30, 30))
    awake = random.randint(25, 60)
    waking = datetime.combine(day, time(7 + weekend, random.randint(0, 45)))
    deep, rem = random.randint(60, 90), random.randint(80, 115)
    stages = {"deep": deep, "rem": rem, "light": asleep - deep - rem, "wake": awake}
    sleeps.append(
        {
            "logId": number + 1,
            "dateOfSleep": f"{day}",
            "startTime": f"{waking - timedelta(minutes=asleep + awake):%Y-%m-%dT%H:%M:%S.000}",
            "endTime": f"{waking:%Y-%m-%dT%H:%M:%S.000}",
            "duration": 60_000 * (asleep + awake),
            "minutesToFallAsleep": 0,
            "minutesAsleep": asleep,
            "minutesAwake": awake,
            "minutesAfterWakeup": 1,
            "timeInBed": asleep + awake,
            "efficiency": round(100 * asleep / (asleep + awake)),
            "type": "stages",
            "levels": {"summary": {name: {"minutes": stages[name]} for name in stages}},
            "mainSleep": True,
        }
    )
    scores.append(f"{number + 1},{round(78 + 4 * form + (asleep - 425) / 8)}")
    variability.append(f"{day}T00:00:00,{42 + 4 * form + random.uniform(-3, 3):.1f}")
    rate = 59 - number / 40 - form + random.uniform(-0.8, 0.8)
    value = {"date": f"{day:%m/%d/%y}", "value": rate, "error": 6.8}
    resting.append({"dateTime": at, "value": value})

    walked = round(8200 + 900 * form + random.uniform(-2600, 2600))
    steps.append({"dateTime": f"{day:%m/%d/%y} 12:00:00", "value": str(walked)})

records = {"steps": steps, "sleep": sleeps, "resting_heart_rate": resting}
tables = {
    "Sleep Score/sleep_score": ["sleep_log_entry_id,overall_score", *scores],
    "Heart Rate Variability/Daily Heart Rate Variability Summary - 2026-08-(24)": [
        "timestamp,rmssd",
        *variability,
    ],
}
with zipfile.ZipFile("takeout.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for name, rows in records.items():
        path = f"Takeout/Fitbit/Global Export Data/{name}-2026-08-24.json"
        archive.writestr(path, json.dumps(rows))
    for name, lines in tables.items():
        archive.writestr(f"Takeout/Fitbit/{name}.csv", "\n".join(lines))
