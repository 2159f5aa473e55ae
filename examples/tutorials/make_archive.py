# make_archive.py
"""Write 90 made-up days in the form of Google Takeout for Fitbit."""

import json
import sys
import zipfile
from datetime import date, timedelta
from pathlib import Path
from random import Random

if Path("takeout.zip").exists():
    sys.exit("there is a takeout.zip here already: run this in another folder")
random = Random(7)
days = [date(2026, 8, 24) + timedelta(number) for number in range(90)]
worn = [day for day in days if not date(2026, 10, 3) <= day <= date(2026, 10, 6)]

minutes, sleeps, resting = [], [], []
for number, day in enumerate(worn):
    asleep = 430 + random.randint(-50, 50)
    before = day - timedelta(1)
    at = f"{day:%m/%d/%y} 00:00:00"
    lightly, fairly, very = (random.randint(*r) for r in ((150, 260), (5, 30), (0, 40)))
    minutes.append((at, 1440 - lightly - fairly - very - asleep, lightly, fairly, very))
    rate = 61 - number / 30 + random.uniform(-1.5, 1.5)
    resting.append(
        {
            "dateTime": at,
            "value": {"date": f"{day:%m/%d/%y}", "value": rate, "error": 6.8},
        }
    )
    deep, rem = random.randint(55, 90), random.randint(80, 115)
    stages = {"deep": deep, "light": asleep - deep - rem, "rem": rem, "wake": 480 - asleep}
    sleeps.append(
        {
            "logId": number + 1,
            "dateOfSleep": f"{day}",
            "startTime": f"{before}T23:02:00.000",
            "endTime": f"{day}T07:02:00.000",
            "duration": 28_800_000,
            "minutesToFallAsleep": 0,
            "minutesAsleep": asleep,
            "minutesAwake": 480 - asleep,
            "minutesAfterWakeup": 1,
            "timeInBed": 480,
            "efficiency": round(asleep / 4.8),
            "type": "stages",
            "levels": {
                "summary": {name: {"count": 3, "minutes": value} for name, value in stages.items()}
            },
            "mainSleep": True,
        }
    )

files = {"resting_heart_rate-2026-08-24": resting, "sleep-2026-08-24": sleeps}
for column, level in enumerate(
    ("sedentary", "lightly_active", "moderately_active", "very_active"), 1
):
    files[f"{level}_minutes-2026-08-24"] = [
        {"dateTime": row[0], "value": str(row[column])} for row in minutes
    ]
with zipfile.ZipFile("takeout.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for name, records in files.items():
        archive.writestr(f"Takeout/Fitbit/Global Export Data/{name}.json", json.dumps(records))
