"""All endpoints of the service in one table: routes, OpenAPI and the API page come from it."""

from functools import partial
from typing import Final

from devicestatus import limits
from devicestatus.errors import ErrorCode
from devicestatus.responses import ICON_ID
from status_contracts.endpoints import Endpoint, Parameter, RequestBody

READING: Final = "Reading the status"
IMAGES: Final = "Badge and health"
ICONS: Final = "App icons"
WRITING: Final = "Writing"
_read_endpoint: Final = partial(Endpoint, error_codes=("service_unavailable",))
_WRITE_ERRORS: Final[tuple[ErrorCode, ...]] = (
    *("unauthorized", "unsupported_media_type", "payload_too_large"),
    *("invalid_json", "invalid_payload", "service_unavailable"),
)

ENDPOINTS: Final = (
    _read_endpoint(
        "now",
        READING,
        "The complete status, or offline",
        "Polling every two minutes is sufficient.  `expires_at` is when the status becomes offline"
        " unless the computer reports again.  `playback.at` is the time shown of a window; where"
        " the window does not cover it, the response is offline.",
        path="/api/now",
        schema="now",
        aliases=("/now",),
    ),
    _read_endpoint(
        "timeline",
        READING,
        "The recent window for replay, or offline",
        "For clients that replay the window themselves, event by event,"
        f" {limits.PLAYBACK_DELAY_SECONDS} seconds behind `server_time`.  Poll it every"
        f" {limits.POLL_INTERVAL_SECONDS} seconds.  Online means that the window is valid, not that"
        " the time to be shown is covered: handle a window that has only started, gaps, and one"
        " that has ended.  Never go back: ignore a response with an earlier `updated_at` or, within"
        " a session, a smaller `batch_seq`.",
        path="/api/timeline",
        schema="timeline",
    ),
    _read_endpoint(
        "music",
        READING,
        "Music only, or offline",
        "`music` always has `artwork_url` and `track_url`: null where they were not reported.",
        path="/api/music",
        schema="music",
    ),
    _read_endpoint(
        "activeApp",
        READING,
        "The foreground app with its icon, or offline",
        "`active_app` is null, or an app.  Both icon members are null for an app without an icon,"
        " and for `System`, the name that replaces private apps.",
        path="/api/apps/active",
        schema="active-app",
    ),
    _read_endpoint(
        "runningApps",
        READING,
        "Running apps with their icons, or offline",
        "`running_apps` is empty when no app runs, null when the computer does not report them.",
        path="/api/apps/running",
        schema="running-apps",
    ),
    _read_endpoint(
        "device", READING, "Battery and load, or offline", path="/api/device", schema="device"
    ),
    _read_endpoint(
        "badge",
        IMAGES,
        "An SVG badge",
        "An image for a profile or a readme: the playing song, else the foreground app, else"
        " `online`; without a valid report `offline`.  Long text is cut.  Proxies that fetch images"
        " may cache it.",
        path="/api/badge.svg",
        media_type="image/svg+xml",
        aliases=("/badge.svg",),
    ),
    Endpoint(
        "health",
        IMAGES,
        "Health of the service",
        "It does not check the store, the token or the computer.",
        path="/api/health",
        schema="health",
        aliases=("/health",),
    ),
    _read_endpoint(
        "icons",
        ICONS,
        "The list of app icons",
        "Names and aliases compare without regard to case and runs of white space.",
        path="/api/icons",
        methods=("GET", "HEAD"),
        is_conditional=True,
        schema="icon-manifest",
    ),
    Endpoint(
        "icon",
        ICONS,
        "One icon",
        path="/api/icons/{id}.png",
        methods=("GET", "HEAD"),
        is_conditional=True,
        error_codes=("service_unavailable", "not_found"),
        keys=(
            Parameter(
                "id",
                "Id of an icon: lower-case letters and digits in groups joined by single hyphens.",
                {"type": "string", "pattern": f"^{ICON_ID}$"},
                path_pattern=ICON_ID,
                example="code-editor",
            ),
        ),
        media_type="image/png",
    ),
    Endpoint(
        "update",
        WRITING,
        "Replace the record with a snapshot",
        f"`collected_at` must be within {limits.CLOCK_SKEW_MS // 1000} s of the time of receipt:"
        " put the present time into the example.  The service sets the lifetime, not the client:"
        f" {limits.TTL_ECO_SECONDS} s under the policy `eco`, {limits.TTL_REALTIME_SECONDS} s under"
        f" `realtime` (send every {limits.PUSH_ECO_MS // 1000} s or"
        f" {limits.PUSH_REALTIME_MS // 1000} s), or a configured"
        f" {limits.TTL_MIN_SECONDS} to {limits.TTL_MAX_SECONDS} s; {limits.TTL_UNSET_SECONDS} s"
        " when nothing is configured.  Every write renews it, also with equal content.",
        path="/api/update",
        methods=("POST",),
        body=RequestBody("snapshot", limits.UPDATE_BODY_BYTES),
        schema="update-result",
        error_codes=_WRITE_ERRORS,
        aliases=("/update",),
    ),
    Endpoint(
        "batch",
        WRITING,
        "Replace the record with a window",
        f"`generated_at` must be within {limits.CLOCK_SKEW_MS // 1000} s of the time of receipt,"
        f" and at most {limits.GENERATION_LAG_MS // 1000} s after `window_end`.  The window expires"
        f" {limits.WINDOW_LIFETIME_MS // 1000} s after `window_end`, however late or often it is"
        " sent; `/api/now` and the parts show it until"
        f" {limits.PLAYBACK_DELAY_SECONDS} s after `window_end`.",
        path="/api/batch",
        methods=("POST",),
        body=RequestBody("window", limits.BATCH_BODY_BYTES),
        schema="update-result",
        error_codes=_WRITE_ERRORS,
    ),
)
"""All endpoints, in the order of the documentation."""
