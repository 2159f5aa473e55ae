"""The pages and all responses of many health profiles, on the cores of a cluster.

    pip install status-contracts distributed obstore
    python health_pages.py s3://bucket/people s3://bucket/site
    python health_pages.py file:///srv/people file:///srv/site --cluster tcp://scheduler:8786

Both are folders or buckets, by their URLs; keys, region and endpoint of a bucket come from the
environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL).

Each task reads some profiles and writes their files: the page, the charts and each response of the
API.  It returns only names, sizes and digests.  The time is an argument, so that every machine
writes the same bytes.
"""

import argparse
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import obstore
from dask.distributed import Client, LocalCluster, as_completed
from obstore.store import from_url

from healthapi import NATIVE
from healthapi.adapters.column_mapping import COLUMNS_FILE, parse_column_mapping
from healthapi.endpoints import ENDPOINTS, KEYS, ROOT
from healthapi.errors import DataError
from healthapi.page import build_site
from healthapi.profile import Profile, derive, list_files, load
from healthapi.service import Service
from status_contracts.adapters.zones import local_text
from status_contracts.exchange import Effect, drive
from status_contracts.messages import Request
from status_contracts.pages.settings import DEFAULT_PAGE

if TYPE_CHECKING:
    from obstore.store import ObjectStore

BATCH: Final = 20
"""Profiles of a task: enough that starting it costs little."""
Written = tuple[str, int, str]
"""Id of a profile, number of its bytes, and their digest."""


def paths(profile: Profile) -> Iterator[str]:
    """Yield the paths of all responses of a profile."""
    for endpoint in ENDPOINTS:
        path, key = endpoint.path.replace("{profile_id}", profile.id), endpoint.key
        if not endpoint.of_profile:
            continue
        if key is None:
            yield path
            continue
        choices = key.choices
        if choices is None:  # of the data
            choices = () if profile.snapshot is None else tuple(profile.snapshot.endpoints)
        yield from (path.replace(f"{{{key.name}}}", quote(choice, safe="")) for choice in choices)


def served(profile: Profile, _effect: Effect) -> Profile:
    """Perform the one effect of a resource of a profile: reading it."""
    return profile


def open_store(url: str) -> "ObjectStore":
    """Return the store of a URL; plain HTTP only if the endpoint of the environment is that."""
    if not url.startswith("s3:"):
        return from_url(url)
    is_plain = os.environ.get("AWS_ENDPOINT_URL", "").startswith("http://")
    return from_url(url, client_options={"allow_http": is_plain})


def list_ids(store: "ObjectStore") -> tuple[str, ...]:
    """Return the sorted ids of all profiles: the folders whose names are ids."""
    names = (prefix.rstrip("/") for prefix in obstore.list_with_delimiter(store)["common_prefixes"])
    return tuple(sorted(name for name in names if KEYS["profile_id"].parse(name)))


def read_profile(store: "ObjectStore", now: int, profile_id: str) -> Profile:
    """Read a profile as `FolderSource` does; raise DataError if a file cannot be parsed."""
    written: list[int] = []

    def content(path: str) -> bytes | None:
        try:
            found = obstore.get(store, path)
        except FileNotFoundError:
            return None
        if path.endswith(".csv"):
            written.append(int(found.meta["last_modified"].timestamp() * 1000))
        return bytes(found.bytes())

    mapping = content(f"{profile_id}/{COLUMNS_FILE}")
    if mapping is None:
        mapping = content(COLUMNS_FILE)  # of all profiles
    columns = NATIVE if mapping is None else parse_column_mapping(mapping)
    read = {name: content(f"{profile_id}/{name}") for name in list_files(columns)}
    files = {name: data for name, data in read.items() if data is not None}
    profile = load(profile_id, files, generated_at=local_text(now, None), columns=columns)
    zone = profile.person.timezone
    last = min(now, max(written, default=now))
    return derive(profile, generated_at=local_text(now, zone), written_at=local_text(last, zone))


def publish(source: str, target: str, now: int, profile_ids: Sequence[str]) -> list[Written]:
    """Write the files of some profiles; return what was written of each."""
    people, site = open_store(source), open_store(target)
    found: list[Written] = []
    for profile_id in profile_ids:
        try:
            profile = read_profile(people, now, profile_id)
        except DataError as error:
            raise ValueError(f"{profile_id}: {error}") from None
        files = dict(build_site((profile,), DEFAULT_PAGE))
        service = Service()
        for path in paths(profile):
            suffix = "" if path.endswith(".svg") else ".json"
            name = f"api{path.removeprefix(f'/profiles/{profile_id}')}{suffix}"
            request = Request("GET", f"{ROOT}{path}".encode())
            files[name] = drive(service(request), partial(served, profile)).body
        digest = hashlib.sha256()
        for name, body in sorted(files.items()):
            digest.update(name.encode() + b"\0" + body)
            obstore.put(site, f"{profile_id}/{name}", body)
        found.append((profile_id, sum(map(len, files.values())), digest.hexdigest()))
    return found


def main() -> None:
    """Publish all profiles, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", help="URL of the folder of profiles")
    parser.add_argument("target", help="URL of the folder of the site")
    parser.add_argument("--now", type=int, default=time.time_ns() // 10**6, help="ms since 1970")
    parser.add_argument("--workers", type=int, default=2, help="processes; 0 for this one alone")
    parser.add_argument("--cluster", help="address of a scheduler, in place of processes")
    arguments = parser.parse_args()
    ids = list_ids(open_store(arguments.source))
    task = partial(publish, arguments.source, arguments.target, arguments.now)
    batches = [ids[at : at + BATCH] for at in range(0, len(ids), BATCH)]
    if arguments.cluster:
        with Client(arguments.cluster) as client:
            start, written = time.perf_counter(), on_cluster(client, task, batches)
    elif arguments.workers:
        with (
            LocalCluster(
                n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None
            ) as cluster,
            Client(cluster) as client,
        ):
            start, written = time.perf_counter(), on_cluster(client, task, batches)
    else:
        start = time.perf_counter()
        written = [each for batch in batches for each in task(batch)]
    seconds = time.perf_counter() - start
    total = hashlib.sha256(repr(sorted(written)).encode()).hexdigest()
    report = {"profiles": len(written), "bytes": sum(size for _, size, _ in written)}
    sys.stdout.write(json.dumps({**report, "digest": total, "seconds": round(seconds, 2)}) + "\n")


def on_cluster(
    client: Client, task: "partial[list[Written]]", batches: list[tuple[str, ...]]
) -> list[Written]:
    """Run a task for each batch; raise the error of the first that fails."""
    futures = client.map(task, batches, pure=False)
    return [each for future in as_completed(futures) for each in future.result()]


if __name__ == "__main__":
    main()
