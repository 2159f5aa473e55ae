/** Types of health-api; the schemas have the limits. */

/** The coverage of a dataset, or of the snapshot. */
export interface Coverage {
  /** Served rows; of the snapshot, endpoints that responded. */
  count: number;
  /** The first day; null if there is none. */
  start_date: string | null;
  /** The last day; of the snapshot, its `saved_at`. */
  end_date: string | null;
  /** Rows of the file that are not served; absent for the snapshot. */
  rejected_rows?: number;
  /** Cells whose text cannot be parsed, or whose value cannot be true; absent for the snapshot. */
  unreadable_cells?: number;
  /** Rows and values that a file lacks, by reason; absent if it lacks none. */
  omissions?: Omission[];
}

/** Rows or values that a dataset lacks for one reason. */
export interface Omission {
  /** Key of the reason. */
  reason: string;
  /** The reason in words. */
  label: string;
  /** The unit of `count`: rows or cells of the file, or days that an import left out. */
  unit: "row" | "cell" | "day";
  /** Their number; null for all days without a value. */
  count: number | null;
  /** The members that an import left out; empty for whole rows. */
  fields: string[];
  /** The days that an import left out. */
  ranges: DayRange[];
}

/** Consecutive days. */
export interface DayRange {
  /** The first day. */
  start_date: string;
  /** The last day. */
  end_date: string;
}

/** The profile object. */
export interface Person {
  /** Id of the profile. */
  id: string;
  /** Display name; the id if the account has none. */
  display_name: string;
  /** null unless disclosed. */
  full_name: string | null;
  /** URL of a picture, without query, fragment and credentials. */
  avatar: string | null;
  /** Day. */
  member_since: string | null;
  /** IANA name. */
  timezone: string | null;
  /** Language and region: `en_GB`. */
  locale: string | null;
  /** null unless disclosed. */
  country: string | null;
  /** Public id of the account; null unless disclosed. */
  encoded_id: string | null;
  /** cm; null unless disclosed. */
  height_cm: number | null;
  /** kg; null unless disclosed. */
  weight_kg: number | null;
  /** Minutes asleep a night. */
  sleep_goal_minutes: number | null;
  /** Steps a day. */
  daily_steps_goal: number | null;
  /** kcal burned a day. */
  daily_calories_goal: number | null;
  /** Steps a week. */
  weekly_steps_goal: number | null;
  /** Number of paired devices. */
  device_count: number | null;
  /** Number of badges. */
  badge_count: number | null;
  /** The granted scopes. */
  scopes: string[];
  /** The requested scopes. */
  requested_scopes: string[];
  /** Always null, because it is metadata of the token. */
  user_id: null;
  /** The snapshot's `saved_at`. */
  last_snapshot_at: string | null;
}

/** A summary of a profile. */
export interface Overview {
  /** 0 to 100; null without any measurement for it. */
  recovery_score: number | null;
  recovery_status: "good" | "stable" | "watch" | "rest" | "waiting_for_data";
  recovery_label: string;
  /** The last day with data. */
  latest_date: string | null;
  /** The snapshot's `saved_at`. */
  latest_sync_at: string | null;
  /** Number of days with data. */
  tracked_days: number;
  sleep_goal_minutes: number | null;
  daily_steps_goal: number | null;
  /** null if the account did not respond; also `badge_count`. */
  device_count: number | null;
  badge_count: number | null;
  /** Requested scopes that are not granted; null if unknown. */
  missing_scopes_count: number | null;
  snapshot_ok_count: number | null;
  snapshot_total_count: number | null;
  /** Naps of the last day; null if it has no sleep. */
  nap_count_today: number | null;
  /** Whether the last day was not over when its data were written; null without a day. */
  latest_is_partial: boolean | null;
}

/** The data catalog: its domains by priority. */
export interface Catalog {
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  status_counts: StatusCounts;
  snapshot_completion: Completion;
  domains: DomainEntry[];
}

/** Number of domains of each status. */
export interface StatusCounts {
  ready: number;
  partial: number;
  empty: number;
}

/** Number of endpoints and missing scopes of the snapshot; null if unknown. */
export interface Completion {
  ok: number | null;
  total: number | null;
  missing_scopes: number | null;
}

/** A domain of the data catalog; for its first members see `catalog_keys.Domain`. */
export interface DomainEntry {
  key: "sleep" | "activity" | "recovery" | "vitals" | "lifestyle" | "account";
  label: string;
  /** Key of its page; the same as `key`. */
  view: string;
  tone: "blue" | "green" | "amber" | "red" | "teal";
  priority: number;
  summary: string;
  status: Status;
  coverage: Span;
  metrics: CoreMetric[];
  sources: Source[];
  /** Number of missing scopes; 0 for all domains but the account. */
  issue_count: number;
  /** The issues in words; null if there are none. */
  issue_label: string | null;
}

/** The status of a domain: `empty` without a value, else `partial` with issues, else `ready`. */
export interface Status {
  key: "ready" | "partial" | "empty";
  label: string;
  severity: number;
}

/** Number of values or rows, and their first and last day. */
export interface Span {
  count: number;
  start_date: string | null;
  end_date: string | null;
}

/** A core metric of a domain. */
export interface CoreMetric {
  key: string;
  label: string;
  unit: string;
  tone: "blue" | "green" | "amber" | "red" | "teal";
  latest: number | null;
  latest_date: string | null;
  avg7?: number | null;
  avg30?: number | null;
  trend?: Trend;
  detail?: string | null;
}

/** The mean of the last 7 values compared with the mean of the 7 values before them. */
export interface Trend {
  /** Direction of the value; flat within the metric's tolerance, and if either mean is missing. */
  direction: "up" | "down" | "flat";
  /** Whether the change is an improvement; null if the direction is flat. */
  improving: boolean | null;
  /** The change, one decimal; null if either mean is missing. */
  delta: number | null;
  /** The change in percent of the earlier mean, one decimal; null if that mean is 0 or so close to 0 that the quotient is not finite. */
  percent: number | null;
}

/** A source of a domain: kind, key and label of a resource, and its number of values. */
export interface Source {
  kind: string;
  key: string;
  label: string;
  count: number;
}

/** A summary of one metric; its values are null if the metric was never measured. */
export interface Card {
  key: "sleep_score" | "sleep_hours" | "steps" | "active_minutes" | "active_zone_minutes" | "hrv" | "rhr" | "calories_out";
  label: string;
  unit: string;
  tone: "blue" | "green" | "amber" | "red" | "teal";
  /** The last value, one decimal. */
  latest: number | null;
  /** The day of that value. */
  latest_date: string | null;
  /** Mean of the last 7 values, or of all if there are fewer; one decimal. */
  avg7: number | null;
  /** Mean of the last 30, likewise. */
  avg30: number | null;
  /** The person's goal in `unit`; null if there is no goal. */
  goal: number | null;
  trend: Trend;
}

/** Pearson's correlation of two metrics of the same day. */
export interface Correlation {
  /** Keys of the two metrics: `sleep_score-hrv`. */
  key: "sleep_score-hrv" | "steps-sleep_score" | "sleep_score-rhr";
  /** Names of the two metrics. */
  label: string;
  /** Number of days on which both have a value. */
  points: number;
  /** -1 to 1, three decimals; null for fewer than 3 points, or if either metric is constant. */
  coefficient: number | null;
  /** Strength of the correlation, whatever its sign. */
  strength: "strong" | "moderate" | "weak" | "none" | "not_enough_data";
  strength_label: string;
}

/** All datasets of a date; members of a dataset without a row on that date are absent. */
export interface DailyRow {
  date: string;
  /** Steps, steps. */
  steps?: number | null;
  /** Sedentary, min. */
  sedentary_minutes?: number | null;
  /** Activity calories, kcal. */
  activity_calories?: number | null;
  /** Calories burned, kcal. */
  calories_out?: number | null;
  /** Lightly active, min. */
  lightly_active_minutes?: number | null;
  /** Fairly active, min. */
  fairly_active_minutes?: number | null;
  /** Very active, min. */
  very_active_minutes?: number | null;
  /** Active zone minutes, min. */
  active_zone_minutes?: number | null;
  /** Active minutes, min. */
  active_minutes?: number | null;
  exercise_examples?: string | null;
  is_main_sleep?: boolean;
  /** Asleep, min. */
  minutes_asleep?: number | null;
  /** Awake, min. */
  minutes_awake?: number | null;
  /** Time in bed, min. */
  time_in_bed?: number | null;
  /** Sleep efficiency, %. */
  efficiency?: number | null;
  /** Sleep score, points. */
  sleep_score?: number | null;
  /** Deep sleep, min. */
  minutes_deep?: number | null;
  /** REM sleep, min. */
  minutes_rem?: number | null;
  /** Light sleep, min. */
  minutes_light?: number | null;
  /** Wake stages, min. */
  minutes_wake_stages?: number | null;
  /** Time to fall asleep, min. */
  minutes_to_fall_asleep?: number | null;
  /** In bed after waking, min. */
  minutes_after_wakeup?: number | null;
  start_time?: string | null;
  end_time?: string | null;
  /** Naps, naps. */
  nap_count?: number;
  /** Sleep, hours. */
  sleep_hours?: number;
  /** Deep sleep share, %. */
  deep_pct?: number;
  /** REM sleep share, %. */
  rem_pct?: number;
  /** Heart rate variability, ms. */
  hrv?: number | null;
  /** HRV in deep sleep, ms. */
  deep_rmssd?: number | null;
  /** Resting heart rate, bpm. */
  rhr?: number | null;
}

/** Means over the daily rows of a week (`2026-W05`) or a month (`2026-01`). */
export interface PeriodRow {
  period: string;
  /** Days with data, days. */
  days: number;
  /** Sleep score, points. */
  sleep_score: number | null;
  /** Sleep, hours. */
  sleep_hours: number | null;
  /** Heart rate variability, ms. */
  hrv: number | null;
  /** Resting heart rate, bpm. */
  rhr: number | null;
  /** Steps, steps. */
  steps: number | null;
  /** Active minutes, min. */
  active_minutes: number | null;
  /** Active zone minutes, min. */
  active_zone_minutes: number | null;
  /** Calories burned, kcal. */
  calories_out: number | null;
}

/** A section: its key, label and content. */
export interface Section {
  section: "body" | "vitals" | "lifestyle" | "account";
  label: string;
  summary: Summary;
}

/** The content of a section; only the section `account` has more than cards. */
export interface Summary {
  metrics: SectionCard[];
  requested_scopes?: string[];
  /** The requested scopes that are not granted. */
  missing_scopes?: string[];
  granted_scopes?: string[];
  /** Alarms of all devices; null if the account did not respond. */
  alarms_count?: number | null;
}

/** One value of a section. */
export interface SectionCard {
  key: string;
  label: string;
  value: number | null;
  unit: string;
  /** The day of the value, or the whole of which it is a part. */
  detail: string | null;
  tone: "blue" | "green" | "amber" | "red" | "teal";
  /** A sentence about the source of the value. */
  hint: string | null;
}

/** The activity of a date, as in the activity file. */
export interface ActivityRow {
  date: string;
  /** Steps, steps. */
  steps: number | null;
  /** Sedentary, min. */
  sedentary_minutes: number | null;
  /** Activity calories, kcal. */
  activity_calories: number | null;
  /** Calories burned, kcal. */
  calories_out: number | null;
  /** Lightly active, min. */
  lightly_active_minutes: number | null;
  /** Fairly active, min. */
  fairly_active_minutes: number | null;
  /** Very active, min. */
  very_active_minutes: number | null;
  /** Active zone minutes, min. */
  active_zone_minutes: number | null;
  /** Active minutes, min. */
  active_minutes: number | null;
  exercise_examples: string | null;
}

/** The sleep of a date: its main sleep, or its best nap if it has no main sleep. */
export interface SleepRow {
  date: string;
  is_main_sleep: boolean;
  /** Asleep, min. */
  minutes_asleep: number | null;
  /** Awake, min. */
  minutes_awake: number | null;
  /** Time in bed, min. */
  time_in_bed: number | null;
  /** Sleep efficiency, %. */
  efficiency: number | null;
  /** Sleep score, points. */
  sleep_score: number | null;
  /** Deep sleep, min. */
  minutes_deep: number | null;
  /** REM sleep, min. */
  minutes_rem: number | null;
  /** Light sleep, min. */
  minutes_light: number | null;
  /** Wake stages, min. */
  minutes_wake_stages: number | null;
  /** Time to fall asleep, min. */
  minutes_to_fall_asleep: number | null;
  /** In bed after waking, min. */
  minutes_after_wakeup: number | null;
  start_time: string | null;
  end_time: string | null;
  /** Naps, naps. */
  nap_count: number;
  /** Sleep, hours. */
  sleep_hours?: number;
  /** Deep sleep share, %. */
  deep_pct?: number;
  /** REM sleep share, %. */
  rem_pct?: number;
}

/** Heart rate variability of a date: of the night, and of deep sleep. */
export interface HrvRow {
  date: string;
  /** Heart rate variability, ms. */
  hrv: number | null;
  /** HRV in deep sleep, ms. */
  deep_rmssd: number | null;
}

/** Resting heart rate of a date. */
export interface RhrRow {
  date: string;
  /** Resting heart rate, bpm. */
  rhr: number | null;
}

/** Index of the service, with links to its documentation. `sample_links` are the links of the first profile that can be read. */
export interface IndexBody {
  api_version: "v1";
  resource: "index";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  data: {
    name: string;
    description: string;
    docs: {
      html: string;
      markdown: string;
      openapi: string;
    };
    profiles: {
      count: number;
      href: string;
    };
    datasets: ("activity" | "sleep" | "hrv" | "rhr" | "daily" | "weekly" | "monthly")[];
    sections: ("body" | "vitals" | "lifestyle" | "account")[];
    tables: ("sleep" | "activity" | "recovery" | "body" | "vitals" | "foods" | "devices" | "badges" | "alarms" | "endpoints")[];
    charts: ("series" | "overview-trend" | "weekly-trend" | "sleep-trend" | "activity-trend")[];
    sample_profile: string | null;
    sample_links: {
      self: string;
      dashboard: string;
      catalog: string;
      overview: string;
      coverage: string;
      metrics: string;
      correlations: string;
      series_daily: string;
      series_weekly: string;
      datasets: string;
      sections: string;
      tables: string;
      snapshot: string;
      chart_overview: string;
      chart_weekly: string;
    } | null;
  };
  meta: Record<string, never>;
}

/** The public profiles, with links. Sorted by name. A profile whose data cannot be read has `available` false and null for unknown values. */
export interface ProfilesBody {
  api_version: "v1";
  resource: "profiles";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  data: {
    profiles: ({
      id: string;
      display_name: string | null;
      member_since: string | null;
      last_sync_at: string | null;
      recovery_score: number | null;
      recovery_status: string | null;
      recovery_label: string | null;
      sleep_score: number | null;
      steps: number | null;
      hrv: number | null;
      rhr: number | null;
      latest_date: string | null;
      available: boolean;
      links: {
        self: string;
        dashboard: string;
        catalog: string;
        overview: string;
        coverage: string;
        metrics: string;
        correlations: string;
        series_daily: string;
        series_weekly: string;
        datasets: string;
        sections: string;
        tables: string;
        snapshot: string;
        chart_overview: string;
        chart_weekly: string;
      };
    })[];
  };
  meta: {
    count: number;
  };
}

/** A profile: summary, coverage, data catalog and links. Start here. */
export interface ProfileBody {
  api_version: "v1";
  resource: "profile";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    profile: Person;
    overview: Overview;
    coverage: {
      activity: Coverage;
      sleep: Coverage;
      hrv: Coverage;
      rhr: Coverage;
      daily: Coverage;
      snapshot: Coverage;
    };
    data_catalog: Catalog;
    snapshot_status: {
      has_snapshot: boolean;
      saved_at: string | null;
      has_profile: boolean;
      has_sleep_goal: boolean;
      scopes: string[];
      requested_scopes: string[];
      missing_scopes: string[];
      fetch_summary: {
        [member: string]: unknown;
      } | null;
    };
    links: {
      self: string;
      dashboard: string;
      catalog: string;
      overview: string;
      coverage: string;
      metrics: string;
      correlations: string;
      series_daily: string;
      series_weekly: string;
      datasets: string;
      sections: string;
      tables: string;
      snapshot: string;
      chart_overview: string;
      chart_weekly: string;
    };
  };
  meta: Record<string, never>;
}

/** The whole dashboard. Overview, coverage, cards, correlations, data catalog, recent points, sections and tables in one response. */
export interface DashboardBody {
  api_version: "v1";
  resource: "dashboard";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    /** When the data were derived; local time without a zone designator. */
    generated_at: string;
    profile: Person;
    overview: Overview;
    coverage: {
      activity: Coverage;
      sleep: Coverage;
      hrv: Coverage;
      rhr: Coverage;
      daily: Coverage;
      snapshot: Coverage;
    };
    stats: Card[];
    correlations: Correlation[];
    data_catalog: Catalog;
    charts: {
      daily: DailyRow[];
      weekly: PeriodRow[];
      monthly: PeriodRow[];
    };
    sections: Section[];
    tables: ({
      table: "sleep";
      label: string;
      columns: ["date", "score", "hours", "deep", "rem", "light", "awake"];
      rows: ({
        date: string | number | boolean | null;
        score: string | number | boolean | null;
        hours: string | number | boolean | null;
        deep: string | number | boolean | null;
        rem: string | number | boolean | null;
        light: string | number | boolean | null;
        awake: string | number | boolean | null;
      })[];
    } | {
      table: "activity";
      label: string;
      columns: ["date", "steps", "active_minutes", "active_zone_minutes", "calories_out", "exercise_examples"];
      rows: ({
        date: string | number | boolean | null;
        steps: string | number | boolean | null;
        active_minutes: string | number | boolean | null;
        active_zone_minutes: string | number | boolean | null;
        calories_out: string | number | boolean | null;
        exercise_examples: string | number | boolean | null;
      })[];
    } | {
      table: "recovery";
      label: string;
      columns: ["date", "hrv", "deep_rmssd", "rhr"];
      rows: ({
        date: string | number | boolean | null;
        hrv: string | number | boolean | null;
        deep_rmssd: string | number | boolean | null;
        rhr: string | number | boolean | null;
      })[];
    } | {
      table: "body";
      label: string;
      columns: ["date", "type", "type_label", "value", "unit", "detail"];
      rows: ({
        date: string | number | boolean | null;
        type: string | number | boolean | null;
        type_label: string | number | boolean | null;
        value: string | number | boolean | null;
        unit: string | number | boolean | null;
        detail: string | number | boolean | null;
      })[];
    } | {
      table: "vitals";
      label: string;
      columns: ["date", "metric", "metric_label", "value", "unit", "detail"];
      rows: ({
        date: string | number | boolean | null;
        metric: string | number | boolean | null;
        metric_label: string | number | boolean | null;
        value: string | number | boolean | null;
        unit: string | number | boolean | null;
        detail: string | number | boolean | null;
      })[];
    } | {
      table: "foods";
      label: string;
      columns: ["name", "brand", "calories", "amount", "last_eaten"];
      rows: ({
        name: string | number | boolean | null;
        brand: string | number | boolean | null;
        calories: string | number | boolean | null;
        amount: string | number | boolean | null;
        last_eaten: string | number | boolean | null;
      })[];
    } | {
      table: "devices";
      label: string;
      columns: ["device", "type", "type_label", "battery", "last_sync", "status"];
      rows: ({
        device: string | number | boolean | null;
        type: string | number | boolean | null;
        type_label: string | number | boolean | null;
        battery: string | number | boolean | null;
        last_sync: string | number | boolean | null;
        status: string | number | boolean | null;
      })[];
    } | {
      table: "badges";
      label: string;
      columns: ["name", "category", "value", "date"];
      rows: ({
        name: string | number | boolean | null;
        category: string | number | boolean | null;
        value: string | number | boolean | null;
        date: string | number | boolean | null;
      })[];
    } | {
      table: "alarms";
      label: string;
      columns: ["device", "time", "enabled", "enabled_label", "recurring", "weekdays"];
      rows: ({
        device: string | number | boolean | null;
        time: string | number | boolean | null;
        enabled: string | number | boolean | null;
        enabled_label: string | number | boolean | null;
        recurring: string | number | boolean | null;
        weekdays: string | number | boolean | null;
      })[];
    } | {
      table: "endpoints";
      label: string;
      columns: ["dataset", "endpoint", "group", "group_label", "scope", "status", "status_label", "http_status", "updated_at"];
      rows: ({
        dataset: string | number | boolean | null;
        endpoint: string | number | boolean | null;
        group: string | number | boolean | null;
        group_label: string | number | boolean | null;
        scope: string | number | boolean | null;
        status: string | number | boolean | null;
        status_label: string | number | boolean | null;
        http_status: string | number | boolean | null;
        updated_at: string | number | boolean | null;
      })[];
    })[];
    snapshot_status: {
      has_snapshot: boolean;
      saved_at: string | null;
      has_profile: boolean;
      has_sleep_goal: boolean;
      scopes: string[];
      requested_scopes: string[];
      missing_scopes: string[];
      fetch_summary: {
        [member: string]: unknown;
      } | null;
    };
  };
  meta: Record<string, never>;
}

/** The data catalog by health domain. Each domain has a status: `empty` without any value, `partial` with open issues, else `ready`. */
export interface CatalogBody {
  api_version: "v1";
  resource: "catalog";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: Catalog;
  meta: {
    count: number;
  };
}

/** Overview of the person. Recovery score, latest day, goals and counts. */
export interface OverviewBody {
  api_version: "v1";
  resource: "overview";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: Overview;
  meta: Record<string, never>;
}

/** Coverage of the datasets and the snapshot. `rejected_rows` and `unreadable_cells` count the data that are not served. */
export interface CoverageBody {
  api_version: "v1";
  resource: "coverage";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    activity: Coverage;
    sleep: Coverage;
    hrv: Coverage;
    rhr: Coverage;
    daily: Coverage;
    snapshot: Coverage;
  };
  meta: Record<string, never>;
}

/** The metric cards, with trends. `direction` is that of the value; `improving` is true if the change is good. */
export interface MetricsBody {
  api_version: "v1";
  resource: "metrics";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    metrics: Card[];
  };
  meta: {
    count: number;
  };
}

/** One metric card. */
export interface MetricBody {
  api_version: "v1";
  resource: "metric";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: Card;
  meta: Record<string, never>;
}

/** Correlations of metrics. `coefficient` is Pearson's, null if there are too few points. */
export interface CorrelationsBody {
  api_version: "v1";
  resource: "correlations";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    correlations: Correlation[];
  };
  meta: {
    count: number;
  };
}

/** Completeness of the account snapshot. */
export interface SnapshotStatusBody {
  api_version: "v1";
  resource: "snapshot-status";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    has_snapshot: boolean;
    saved_at: string | null;
    has_profile: boolean;
    has_sleep_goal: boolean;
    scopes: string[];
    requested_scopes: string[];
    missing_scopes: string[];
    fetch_summary: {
      [member: string]: unknown;
    } | null;
  };
  meta: Record<string, never>;
}

/** The datasets. */
export interface DatasetsBody {
  api_version: "v1";
  resource: "datasets";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    datasets: ({
      key: "activity" | "sleep" | "hrv" | "rhr" | "daily" | "weekly" | "monthly";
      label: string;
      href: string;
      coverage: Coverage | null;
    })[];
  };
  meta: {
    count: number;
  };
}

/** One dataset, page by page. Rows ascend by date. An absent member belongs to a dataset without a row on that date; a null member was not measured. */
export interface DatasetBody {
  api_version: "v1";
  resource: "dataset";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    dataset: "activity";
    label: string;
    columns: string[];
    rows: ActivityRow[];
  } | {
    dataset: "sleep";
    label: string;
    columns: string[];
    rows: SleepRow[];
  } | {
    dataset: "hrv";
    label: string;
    columns: string[];
    rows: HrvRow[];
  } | {
    dataset: "rhr";
    label: string;
    columns: string[];
    rows: RhrRow[];
  } | {
    dataset: "daily";
    label: string;
    columns: string[];
    rows: DailyRow[];
  } | {
    dataset: "weekly";
    label: string;
    columns: string[];
    rows: PeriodRow[];
  } | {
    dataset: "monthly";
    label: string;
    columns: string[];
    rows: PeriodRow[];
  };
  meta: {
    total: number;
    offset: number;
    limit: number;
    count: number;
    label: string;
    coverage: Coverage | null;
    /** The periods that extend beyond the first or the last day with data; of days, the last one if it was not over. */
    partial_periods?: string[];
  };
}

/** A series of selected metrics. Each point has every selected metric, null if there is no value. Without a known metric the series has all metrics of its granularity. Without `limit` it has at most the last 36525 points; `total` in `meta` is the number of all points. */
export interface SeriesBody {
  api_version: "v1";
  resource: "series";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    granularity: "daily";
    dimension: "date";
    metrics: ({
      key: "sleep_score" | "sleep_hours" | "steps" | "active_minutes" | "active_zone_minutes" | "hrv" | "rhr" | "calories_out" | "activity_calories" | "days" | "deep_pct" | "deep_rmssd" | "efficiency" | "fairly_active_minutes" | "lightly_active_minutes" | "minutes_after_wakeup" | "minutes_asleep" | "minutes_awake" | "minutes_deep" | "minutes_light" | "minutes_rem" | "minutes_to_fall_asleep" | "minutes_wake_stages" | "nap_count" | "rem_pct" | "sedentary_minutes" | "time_in_bed" | "very_active_minutes";
      label: string;
      unit: string;
      tone: string;
    })[];
    points: ({
      date: string;
      active_minutes?: number | null;
      active_zone_minutes?: number | null;
      activity_calories?: number | null;
      calories_out?: number | null;
      deep_pct?: number | null;
      deep_rmssd?: number | null;
      efficiency?: number | null;
      fairly_active_minutes?: number | null;
      hrv?: number | null;
      lightly_active_minutes?: number | null;
      minutes_after_wakeup?: number | null;
      minutes_asleep?: number | null;
      minutes_awake?: number | null;
      minutes_deep?: number | null;
      minutes_light?: number | null;
      minutes_rem?: number | null;
      minutes_to_fall_asleep?: number | null;
      minutes_wake_stages?: number | null;
      nap_count?: number | null;
      rem_pct?: number | null;
      rhr?: number | null;
      sedentary_minutes?: number | null;
      sleep_hours?: number | null;
      sleep_score?: number | null;
      steps?: number | null;
      time_in_bed?: number | null;
      very_active_minutes?: number | null;
    })[];
  } | {
    granularity: "weekly";
    dimension: "period";
    metrics: ({
      key: "sleep_score" | "sleep_hours" | "steps" | "active_minutes" | "active_zone_minutes" | "hrv" | "rhr" | "calories_out" | "activity_calories" | "days" | "deep_pct" | "deep_rmssd" | "efficiency" | "fairly_active_minutes" | "lightly_active_minutes" | "minutes_after_wakeup" | "minutes_asleep" | "minutes_awake" | "minutes_deep" | "minutes_light" | "minutes_rem" | "minutes_to_fall_asleep" | "minutes_wake_stages" | "nap_count" | "rem_pct" | "sedentary_minutes" | "time_in_bed" | "very_active_minutes";
      label: string;
      unit: string;
      tone: string;
    })[];
    points: ({
      period: string;
      active_minutes?: number | null;
      active_zone_minutes?: number | null;
      calories_out?: number | null;
      days?: number | null;
      hrv?: number | null;
      rhr?: number | null;
      sleep_hours?: number | null;
      sleep_score?: number | null;
      steps?: number | null;
    })[];
  } | {
    granularity: "monthly";
    dimension: "period";
    metrics: ({
      key: "sleep_score" | "sleep_hours" | "steps" | "active_minutes" | "active_zone_minutes" | "hrv" | "rhr" | "calories_out" | "activity_calories" | "days" | "deep_pct" | "deep_rmssd" | "efficiency" | "fairly_active_minutes" | "lightly_active_minutes" | "minutes_after_wakeup" | "minutes_asleep" | "minutes_awake" | "minutes_deep" | "minutes_light" | "minutes_rem" | "minutes_to_fall_asleep" | "minutes_wake_stages" | "nap_count" | "rem_pct" | "sedentary_minutes" | "time_in_bed" | "very_active_minutes";
      label: string;
      unit: string;
      tone: string;
    })[];
    points: ({
      period: string;
      active_minutes?: number | null;
      active_zone_minutes?: number | null;
      calories_out?: number | null;
      days?: number | null;
      hrv?: number | null;
      rhr?: number | null;
      sleep_hours?: number | null;
      sleep_score?: number | null;
      steps?: number | null;
    })[];
  };
  meta: {
    count: number;
    available_metrics: ("sleep_score" | "sleep_hours" | "steps" | "active_minutes" | "active_zone_minutes" | "hrv" | "rhr" | "calories_out" | "activity_calories" | "days" | "deep_pct" | "deep_rmssd" | "efficiency" | "fairly_active_minutes" | "lightly_active_minutes" | "minutes_after_wakeup" | "minutes_asleep" | "minutes_awake" | "minutes_deep" | "minutes_light" | "minutes_rem" | "minutes_to_fall_asleep" | "minutes_wake_stages" | "nap_count" | "rem_pct" | "sedentary_minutes" | "time_in_bed" | "very_active_minutes")[];
    /** The periods that extend beyond the first or the last day with data; of days, the last one if it was not over. */
    partial_periods: string[];
    total: number;
    limit: number;
  };
}

/** The sections of summary cards. */
export interface SectionsBody {
  api_version: "v1";
  resource: "sections";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    sections: Section[];
  };
  meta: {
    count: number;
  };
}

/** One section. */
export interface SectionBody {
  api_version: "v1";
  resource: "section";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: Section;
  meta: Record<string, never>;
}

/** The tables, without their rows. */
export interface TablesBody {
  api_version: "v1";
  resource: "tables";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    tables: ({
      key: "sleep" | "activity" | "recovery" | "body" | "vitals" | "foods" | "devices" | "badges" | "alarms" | "endpoints";
      label: string;
      count: number;
      href: string;
    })[];
  };
  meta: {
    count: number;
  };
}

/** One table, page by page. Tables are for display: few rows, the newest first. */
export interface TableBody {
  api_version: "v1";
  resource: "table";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    table: "sleep";
    label: string;
    columns: ["date", "score", "hours", "deep", "rem", "light", "awake"];
    rows: ({
      date: string | number | boolean | null;
      score: string | number | boolean | null;
      hours: string | number | boolean | null;
      deep: string | number | boolean | null;
      rem: string | number | boolean | null;
      light: string | number | boolean | null;
      awake: string | number | boolean | null;
    })[];
  } | {
    table: "activity";
    label: string;
    columns: ["date", "steps", "active_minutes", "active_zone_minutes", "calories_out", "exercise_examples"];
    rows: ({
      date: string | number | boolean | null;
      steps: string | number | boolean | null;
      active_minutes: string | number | boolean | null;
      active_zone_minutes: string | number | boolean | null;
      calories_out: string | number | boolean | null;
      exercise_examples: string | number | boolean | null;
    })[];
  } | {
    table: "recovery";
    label: string;
    columns: ["date", "hrv", "deep_rmssd", "rhr"];
    rows: ({
      date: string | number | boolean | null;
      hrv: string | number | boolean | null;
      deep_rmssd: string | number | boolean | null;
      rhr: string | number | boolean | null;
    })[];
  } | {
    table: "body";
    label: string;
    columns: ["date", "type", "type_label", "value", "unit", "detail"];
    rows: ({
      date: string | number | boolean | null;
      type: string | number | boolean | null;
      type_label: string | number | boolean | null;
      value: string | number | boolean | null;
      unit: string | number | boolean | null;
      detail: string | number | boolean | null;
    })[];
  } | {
    table: "vitals";
    label: string;
    columns: ["date", "metric", "metric_label", "value", "unit", "detail"];
    rows: ({
      date: string | number | boolean | null;
      metric: string | number | boolean | null;
      metric_label: string | number | boolean | null;
      value: string | number | boolean | null;
      unit: string | number | boolean | null;
      detail: string | number | boolean | null;
    })[];
  } | {
    table: "foods";
    label: string;
    columns: ["name", "brand", "calories", "amount", "last_eaten"];
    rows: ({
      name: string | number | boolean | null;
      brand: string | number | boolean | null;
      calories: string | number | boolean | null;
      amount: string | number | boolean | null;
      last_eaten: string | number | boolean | null;
    })[];
  } | {
    table: "devices";
    label: string;
    columns: ["device", "type", "type_label", "battery", "last_sync", "status"];
    rows: ({
      device: string | number | boolean | null;
      type: string | number | boolean | null;
      type_label: string | number | boolean | null;
      battery: string | number | boolean | null;
      last_sync: string | number | boolean | null;
      status: string | number | boolean | null;
    })[];
  } | {
    table: "badges";
    label: string;
    columns: ["name", "category", "value", "date"];
    rows: ({
      name: string | number | boolean | null;
      category: string | number | boolean | null;
      value: string | number | boolean | null;
      date: string | number | boolean | null;
    })[];
  } | {
    table: "alarms";
    label: string;
    columns: ["device", "time", "enabled", "enabled_label", "recurring", "weekdays"];
    rows: ({
      device: string | number | boolean | null;
      time: string | number | boolean | null;
      enabled: string | number | boolean | null;
      enabled_label: string | number | boolean | null;
      recurring: string | number | boolean | null;
      weekdays: string | number | boolean | null;
    })[];
  } | {
    table: "endpoints";
    label: string;
    columns: ["dataset", "endpoint", "group", "group_label", "scope", "status", "status_label", "http_status", "updated_at"];
    rows: ({
      dataset: string | number | boolean | null;
      endpoint: string | number | boolean | null;
      group: string | number | boolean | null;
      group_label: string | number | boolean | null;
      scope: string | number | boolean | null;
      status: string | number | boolean | null;
      status_label: string | number | boolean | null;
      http_status: string | number | boolean | null;
      updated_at: string | number | boolean | null;
    })[];
  };
  meta: {
    total: number;
    offset: number;
    limit: number;
    count: number;
    label: string;
  };
}

/** The account snapshot, without secrets. It contains neither tokens nor data that name or locate the person. */
export interface SnapshotBody {
  api_version: "v1";
  resource: "snapshot";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    profile_id: string;
    saved_at: string | null;
    requested_scopes: string[];
    granted_scopes: string[];
    /** Any JSON: a response of the wearable account. */
    range: {
      [member: string]: unknown;
    };
    /** Any JSON: a response of the wearable account. */
    fetch_summary: {
      [member: string]: unknown;
    };
    endpoints: {
      [member: string]: {
        ok: boolean;
        status: number | null;
        fetched_at: string | null;
        label: string | null;
        group: string | null;
        scope: string | null;
        reason: string | null;
        /** Any JSON: a response of the wearable account. */
        data: unknown;
      };
    };
  };
  meta: Record<string, never>;
}

/** The snapshot's endpoints, without their data. */
export interface SnapshotEndpointsBody {
  api_version: "v1";
  resource: "snapshot-endpoints";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    endpoints: ({
      key: string;
      ok: boolean;
      status: number | null;
      fetched_at: string | null;
      label: string | null;
      group: string | null;
      scope: string | null;
      href: string | null;
    })[];
  };
  meta: {
    count: number;
  };
}

/** The response of one endpoint of the account. */
export interface SnapshotEndpointBody {
  api_version: "v1";
  resource: "snapshot-endpoint";
  /** When the data were derived; local time without a zone designator. */
  generated_at: string;
  profile_id: string;
  data: {
    ok: boolean;
    status: number | null;
    fetched_at: string | null;
    label: string | null;
    group: string | null;
    scope: string | null;
    reason: string | null;
    /** Any JSON: a response of the wearable account. */
    data: unknown;
  };
  meta: {
    endpoint: string;
  };
}

/** The body of every error response. */
export interface ErrorBody {
  api_version: "v1";
  error: {
    code: "profile_not_found" | "metric_not_found" | "series_not_found" | "dataset_not_found" | "section_not_found" | "table_not_found" | "snapshot_endpoint_not_found" | "chart_not_found" | "not_found" | "method_not_allowed" | "service_unavailable";
    /** For people; do not compare it. */
    message: string;
  };
}
