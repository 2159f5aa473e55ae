/** Types of device-status; the schemas have the limits. */

/** The complete state of the computer at one instant. */
export interface Snapshot {
  /** 1. */
  schema_version: 1;
  /** device collection time; does not control expiry. */
  collected_at: UtcTimestamp;
  /** foreground app; `System` replaces a private one; null when unavailable. */
  active_app: string | null;
  /** battery and power. */
  battery: Battery;
  /** load averages. */
  system: System;
  /** the music player. */
  music: Music;
  /** names of GUI apps, unique; absent when the device does not report them. */
  running_apps?: string[];
}

/** A real instant in UTC: YYYY-MM-DDTHH:MM:SS[.mmm]Z, with 0 to 3 fractional digits. */
export type UtcTimestamp = string;

/** Battery and power. */
export interface Battery {
  /** charge, 0 to 100; null when unknown. */
  percent: number | null;
  /** null when unknown; mains power does not imply charging. */
  charging: boolean | null;
  /** `ac`, `battery` or `unknown`. */
  power_source: "ac" | "battery" | "unknown";
}

/** Load averages over 1, 5 and 15 minutes (not CPU usage), 0 to 100000; null when unknown. */
export interface System {
  load_1m: number | null;
  load_5m: number | null;
  load_15m: number | null;
}

/** The state of the music player; state and metadata are independent. */
export interface Music {
  /** the player's state; consumers must use it, not `track`, to see whether music plays. */
  state: "playing" | "paused" | "stopped" | "unavailable";
  /** title, or null. */
  track: string | null;
  /** artist, or null. */
  artist: string | null;
  /** cover image, given together with `track_url`: both absent, both null or both https URLs of the configured catalog. */
  artwork_url?: string | null;
  /** page of the track, in the same pair. */
  track_url?: string | null;
}

/** One batch of the device: the state at its start, the changes since, and the gaps. */
export interface Window {
  /** 2. */
  schema_version: 2;
  /** a UUID, which changes when the privacy configuration changes. */
  session_id: string;
  /** number of the batch within the session, from 1. */
  batch_seq: number;
  /** when the device made the batch. */
  generated_at: MillisecondTimestamp;
  /** start of the window, included. */
  window_start: MillisecondTimestamp;
  /** end of the window, at most 900 s after its start. */
  window_end: MillisecondTimestamp;
  /** complete state at `window_start`; its `collected_at` has millisecond form. */
  baseline: Snapshot;
  /** changes in order, at most 2048. */
  events: WindowEvent[];
  /** sorted, non-overlapping, at most 128. */
  gaps: WindowGap[];
  /** number of events that the device had to drop. */
  dropped_events: number;
}

/** A real instant in UTC: YYYY-MM-DDTHH:MM:SS.mmmZ. */
export type MillisecondTimestamp = string;

/** One observed change. */
export interface WindowEvent {
  /** strictly increasing within the batch. */
  seq: number;
  /** device observation time, inside the window, non-decreasing. */
  at: MillisecondTimestamp;
  /** the members that it replaces. */
  changes: WindowChanges;
}

/** The members that one event replaces; at least one is present. */
export interface WindowChanges {
  active_app?: string | null;
  running_apps?: string[];
  battery?: Battery;
  system?: System;
  music?: Music;
}

/** The half-open interval [start_at, end_at) in which nothing was observed, with the reason. */
export interface WindowGap {
  start_at: MillisecondTimestamp;
  end_at: MillisecondTimestamp;
  reason: "sleep" | "restart" | "collection" | "overflow" | "clock";
}

/** A stored v1 snapshot. */
export interface SnapshotRecord {
  /** when its body was complete, ms since the epoch. */
  received_at: number;
  /** the snapshot. */
  data: Snapshot;
  /** its deadline at write time; absent in a legacy record. */
  expires_at?: number;
}

/** A stored v2 window; `expires_at` is its absolute deadline. */
export interface WindowRecord {
  received_at: number;
  data: Window;
  expires_at: number;
}

/** An accepted write: its receive time and its deadline. */
export interface UpdateResult {
  ok: true;
  updated_at: MillisecondTimestamp;
  expires_at: MillisecondTimestamp;
}

/** `/api/now`: the whole snapshot; `playback` only for a v2 projection. */
export interface OnlineStatus {
  /** 1. */
  schema_version: 1;
  /** device collection time; does not control expiry. */
  collected_at: MillisecondTimestamp;
  /** foreground app; `System` replaces a private one; null when unavailable. */
  active_app: string | null;
  /** battery and power. */
  battery: Battery;
  /** load averages. */
  system: System;
  /** the music player. */
  music: Music;
  /** names of GUI apps, unique; absent when the device does not report them. */
  running_apps?: string[];
  status: "online";
  updated_at: MillisecondTimestamp;
  expires_at: MillisecondTimestamp;
  playback?: PlaybackInfo;
}

/** The position of a delayed projection: `at` is server time minus 420 s. */
export interface PlaybackInfo {
  mode: "delayed";
  delay_seconds: 420;
  at: MillisecondTimestamp;
  window_end: MillisecondTimestamp;
}

/** Exactly `{"status": "offline"}`. */
export interface OfflineStatus {
  status: "offline";
}

/** `/api/timeline` of a v2 record: the stored window, valid until 600 s after its end. */
export interface WindowStatus {
  status: "online";
  mode: "window";
  server_time: MillisecondTimestamp;
  updated_at: MillisecondTimestamp;
  expires_at: MillisecondTimestamp;
  policy: WindowPolicy;
  window: Window;
}

/** The constants of buffered playback, in seconds. */
export interface WindowPolicy {
  upload_interval_seconds: 300;
  window_seconds: 900;
  playback_delay_seconds: 420;
  poll_interval_seconds: 60;
  sample_interval_seconds: 2;
  metrics_interval_seconds: 30;
}

/** `/api/timeline` of a v1 record. */
export interface SnapshotTimelineStatus {
  /** 1. */
  schema_version: 1;
  /** device collection time; does not control expiry. */
  collected_at: MillisecondTimestamp;
  /** foreground app; `System` replaces a private one; null when unavailable. */
  active_app: string | null;
  /** battery and power. */
  battery: Battery;
  /** load averages. */
  system: System;
  /** the music player. */
  music: Music;
  /** names of GUI apps, unique; absent when the device does not report them. */
  running_apps?: string[];
  status: "online";
  mode: "snapshot";
  server_time: MillisecondTimestamp;
  updated_at: MillisecondTimestamp;
  expires_at: MillisecondTimestamp;
}

/** `/api/music`: music in which both URLs are always present. */
export interface MusicStatus {
  /** `online`. */
  status: "online";
  /** server receive time. */
  updated_at: MillisecondTimestamp;
  /** current server deadline. */
  expires_at: MillisecondTimestamp;
  /** v1: device collection time; v2: the last applied event, or the baseline. */
  collected_at: MillisecondTimestamp;
  /** only for a v2 projection. */
  playback?: PlaybackInfo;
  music: Music & Required<Pick<Music, "artwork_url" | "track_url">>;
}

/** `/api/apps/active`: the foreground app with its icon; null when unavailable. */
export interface ActiveAppStatus {
  /** `online`. */
  status: "online";
  /** server receive time. */
  updated_at: MillisecondTimestamp;
  /** current server deadline. */
  expires_at: MillisecondTimestamp;
  /** v1: device collection time; v2: the last applied event, or the baseline. */
  collected_at: MillisecondTimestamp;
  /** only for a v2 projection. */
  playback?: PlaybackInfo;
  active_app: AppWithIcon | null;
}

/** An app name with the paths of its icon. */
export interface AppWithIcon {
  /** the app's name, present even without an icon. */
  name: string;
  /** static PNG, relative to the deployment root; null for unknown apps. */
  icon_url: string | null;
  /** the same image through the service; null for unknown apps. */
  icon_api_url: string | null;
}

/** `/api/apps/running`: running apps with icons; null when the device does not report them. */
export interface RunningAppsStatus {
  /** `online`. */
  status: "online";
  /** server receive time. */
  updated_at: MillisecondTimestamp;
  /** current server deadline. */
  expires_at: MillisecondTimestamp;
  /** v1: device collection time; v2: the last applied event, or the baseline. */
  collected_at: MillisecondTimestamp;
  /** only for a v2 projection. */
  playback?: PlaybackInfo;
  running_apps: AppWithIcon[] | null;
}

/** `/api/device`. */
export interface DeviceStatus {
  /** `online`. */
  status: "online";
  /** server receive time. */
  updated_at: MillisecondTimestamp;
  /** current server deadline. */
  expires_at: MillisecondTimestamp;
  /** v1: device collection time; v2: the last applied event, or the baseline. */
  collected_at: MillisecondTimestamp;
  /** only for a v2 projection. */
  playback?: PlaybackInfo;
  device: Device;
}

/** Battery and system as in the snapshot, nulls included. */
export interface Device {
  battery: Battery;
  system: System;
}

/** `/api/health`: the service responds; independent of the device. */
export interface Health {
  ok: true;
  service: string;
}

/** The body of every error response. */
export interface ErrorBody {
  error: "invalid_json" | "invalid_payload" | "unauthorized" | "not_found" | "method_not_allowed" | "payload_too_large" | "unsupported_media_type" | "service_unavailable";
}

/** The finite list of icons that ships with a deployment. */
export interface IconManifest {
  version: 1;
  icons: InstalledAppIcon[];
}

/** One icon of the manifest; fields have the names of the JSON members. */
export interface InstalledAppIcon {
  /** file name of the PNG, without its suffix. */
  id: string;
  /** the app's name. */
  app: string;
  /** other names of the app, at least one. */
  aliases: string[];
  /** `/api/icons/<id>.png`. */
  imageUrl: string;
  /** `installed-app`. */
  source: "installed-app";
  /** who made the image. */
  credit: string;
  /** https URL of its origin, or null. */
  sourceUrl: string | null;
  /** digest of the PNG, 64 lower-case hex digits, or absent. */
  sha256?: string;
}

/** The value of the store's one key. */
export type RecordBody = SnapshotRecord | WindowRecord;

/** The response of `/api/now`. */
export type NowBody = OnlineStatus | OfflineStatus;

/** The response of `/api/timeline`. */
export type TimelineBody = WindowStatus | SnapshotTimelineStatus | OfflineStatus;

/** The response of `/api/music`. */
export type MusicBody = MusicStatus | OfflineStatus;

/** The response of `/api/apps/active`. */
export type ActiveAppBody = ActiveAppStatus | OfflineStatus;

/** The response of `/api/apps/running`. */
export type RunningAppsBody = RunningAppsStatus | OfflineStatus;

/** The response of `/api/device`. */
export type DeviceBody = DeviceStatus | OfflineStatus;
