"""Read `export.xml` of Apple Health as a stream of records.

Invariant *no document type*: reading begins at the root element, so that no entity is declared,
expanded or fetched, and a broken type is no fault.  Control characters, which XML forbids, are
left out.
Invariant *bounded*: of the file one chunk is in memory; of the values, steps by day and source, and
the phases of sleep.
Invariant *one source*: the steps of a day are those of the source that has most of them; of sleeps
that overlap one is kept.  Each minute of a sleep counts once, as the finest of its stages.
"""

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final
from xml.parsers import expat

from health_import.sleeps import Phase, stage_minutes
from health_import.tables import STAGE_COLUMNS, Row, rows_of, texts_of, time_cells
from health_import.texts import day_of, instant, number, whole_text
from health_import.values import FileError, RecordError, known
from healthapi.rows.mapping import FileDataset

_ROOT: Final = b"<HealthData"
_HEAD_BYTES: Final = 1024 * 1024
"""Most that may stand before the root element, and most of one record."""
_DEPTH: Final = 64
_MAX_VALUES: Final = 1_000_000
_CONTROLS: Final = bytes(byte for byte in range(32) if byte not in b"\t\n\r")
_SLEEP: Final = "HKCategoryValueSleepAnalysis"
_STAGES: Final = {
    "AsleepDeep": "deep",
    "AsleepREM": "rem",
    "Awake": "awake",
    "AsleepCore": "light",
    "AsleepUnspecified": "asleep",
    "Asleep": "asleep",
}
_APART: Final = timedelta(hours=1)
_LONGEST: Final = timedelta(days=1)

_Sleep = tuple[datetime, datetime, dict[str, float]]


class AppleHealth:
    """The values of one or several exports, of which the later one counts."""

    def __init__(self) -> None:
        self.export_day: int | None = None
        self.unworn: Mapping[FileDataset, set[int]] = {}
        self._steps: dict[tuple[int, str], float] = {}
        self._resting: dict[int, float] = {}
        self._phases: dict[str, set[Phase]] = {}

    def wants(self, name: str) -> bool:
        """Check whether a file is read: the names of `export.xml` are translated."""
        lower = name.lower()
        return lower.endswith(".xml") and not lower.endswith("_cda.xml")

    def read(self, name: str, chunks: Iterable[bytes]) -> int:  # noqa: ARG002 - as Garmin.read
        """Read a file; return how many records were skipped; raise FileError."""
        fresh = _File()
        fresh.parse(chunks)
        days = {day for day, _ in fresh.steps}
        self._steps = {key: value for key, value in self._steps.items() if key[0] not in days}
        self._steps |= fresh.steps
        self._resting |= fresh.resting
        for source, phases in fresh.phases.items():
            self._phases.setdefault(source, set()).update(phases)
        if fresh.export_day is not None:
            self.export_day = max(fresh.export_day, self.export_day or 0)
        return fresh.skipped

    def rows(self) -> dict[FileDataset, list[Row]]:
        """Return the rows of the tables."""
        steps: dict[int, float] = {}
        for (day, _), count in self._steps.items():
            steps[day] = max(count, steps.get(day, 0))
        sleeps = [sleep for phases in self._phases.values() for sleep in _sleeps_of(phases)]
        return {
            "activity": rows_of({"steps": texts_of(steps)}),
            "sleep": [_row(*sleep) for sleep in _without_overlap(sleeps)],
            "hrv": [],
            "rhr": rows_of({"resting_heart_rate": texts_of(self._resting)}),
        }


class _File:
    """The values of one file."""

    def __init__(self) -> None:
        self.steps: dict[tuple[int, str], float] = {}
        self.resting: dict[int, float] = {}
        self.phases: dict[str, set[Phase]] = {}
        self.export_day: int | None = None
        self.skipped = self._depth = self._phase_count = 0
        self._readers = {
            "HKQuantityTypeIdentifierStepCount": self._read_steps,
            "HKQuantityTypeIdentifierRestingHeartRate": self._read_resting,
            "HKCategoryTypeIdentifierSleepAnalysis": self._read_phase,
        }

    def parse(self, chunks: Iterable[bytes]) -> None:
        """Parse the file from its root element on; raise FileError."""
        parser = expat.ParserCreate("UTF-8")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        done = 0
        try:
            for chunk in _from_root(chunks):
                parser.Parse(chunk.translate(None, _CONTROLS), False)  # noqa: FBT003 - no keywords
                done += len(chunk)
                if done - parser.CurrentByteIndex > _HEAD_BYTES + len(chunk):
                    raise FileError("file.xml")
                if len(self.steps) + self._phase_count > _MAX_VALUES:
                    raise FileError("file.records")
            parser.Parse(b"", True)  # noqa: FBT003
        except expat.ExpatError:
            raise FileError("file.xml") from None

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEPTH:
            raise FileError("file.xml")
        if name == "ExportDate":
            self.export_day = day_of(attributes.get("value", "")[:10])
        read = self._readers.get(attributes.get("type", "")) if name == "Record" else None
        if read is not None:
            try:
                read(attributes)
            except (RecordError, KeyError):
                self.skipped += 1

    def _end(self, _name: str) -> None:
        self._depth -= 1

    def _read_steps(self, record: Mapping[str, str]) -> None:
        count, day = known(number(record["value"])), known(day_of(record["startDate"][:10]))
        if count < 0:
            raise RecordError
        if count:
            key = day, record.get("sourceName", "")
            self.steps[key] = self.steps.get(key, 0) + count

    def _read_resting(self, record: Mapping[str, str]) -> None:
        rate, day = known(number(record["value"])), known(day_of(record["startDate"][:10]))
        if rate > 0:
            self.resting[day] = rate

    def _read_phase(self, record: Mapping[str, str]) -> None:
        name = record["value"].removeprefix(_SLEEP)
        if name == "InBed":
            return
        start, end = (_instant(record[name]) for name in ("startDate", "endDate"))
        if not start < end <= start + _LONGEST:
            raise RecordError
        phase = start, end, known(_STAGES.get(name))
        phases = self.phases.setdefault(record.get("sourceName", ""), set())
        self._phase_count += phase not in phases
        phases.add(phase)


def _from_root(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the file from its root element on; raise FileError if there is none."""
    chunks, head = iter(chunks), b""
    for chunk in chunks:
        head += chunk
        at = head.find(_ROOT)
        if at >= 0:
            yield head[at:]
            yield from chunks
            return
        if len(head) > _HEAD_BYTES:
            break
    raise FileError("file.root")


def _instant(text: str) -> datetime:
    """Return a time such as `2024-07-20 23:10:00 +0200`; raise RecordError."""
    return known(instant(text.replace(" +", "+").replace(" -", "-")))


def _sleeps_of(phases: Iterable[Phase]) -> Iterator[_Sleep]:
    """Yield the sleeps of one source: runs of phases without long gaps, with a minute asleep."""
    run: list[Phase] = []
    latest = None
    for phase in sorted(phases):
        if latest is not None and phase[0] - latest >= _APART:
            yield from _sleep_of(run)
            run, latest = [], None
        run.append(phase)
        latest = phase[1] if latest is None else max(latest, phase[1])
    yield from _sleep_of(run)


def _sleep_of(run: list[Phase]) -> Iterator[_Sleep]:
    """Yield the sleep of phases; generic ones count only where there are no staged ones."""
    minutes = stage_minutes(run)
    generic = minutes.pop("asleep")
    if minutes["deep"] + minutes["rem"] + minutes["light"] < 1:
        minutes = {"asleep": generic, "awake": minutes["awake"]}
    if sum(minutes.values()) - minutes["awake"] >= 1:
        yield min(run)[0], max(end for _, end, _ in run), minutes


def _without_overlap(sleeps: list[_Sleep]) -> list[_Sleep]:
    """Return the sleeps that overlap no better one: with stages, then longer."""
    kept: list[_Sleep] = []
    for sleep in sorted(
        sleeps, key=lambda one: ("asleep" in one[2], -sum(one[2].values()), one[:2])
    ):
        at = bisect(kept, sleep[:2], key=lambda one: one[:2])
        is_free = not any(
            sleep[0] < other[1] and other[0] < sleep[1] for other in kept[max(0, at - 1) : at + 1]
        )
        if is_free:
            kept.insert(at, sleep)
    return kept


def _row(start: datetime, end: datetime, minutes: Mapping[str, float]) -> Row:
    row = time_cells(start, end)
    row["minutesAsleep"] = whole_text(sum(minutes.values()) - minutes["awake"])
    if "asleep" not in minutes or minutes["awake"]:
        row["minutesAwake"] = whole_text(minutes["awake"])
    if "asleep" not in minutes:
        row |= {column: whole_text(minutes[name]) for name, column in STAGE_COLUMNS.items()}
    return row
