/** Types of site-data; the schemas have the limits. */

/** The published data of a repository at one time. */
export interface Snapshot {
  /** the repository. */
  repository: Repository;
  /** build time. */
  generatedAt: MillisecondTimestamp;
  /** git reference from which it was built. */
  sourceRef: string;
  /** number of commits of that reference; a compatibility field. */
  commitCount: number;
  /** day (`YYYY-MM-DD`) to the number of commits on it; a compatibility field. */
  contributions: {
    [member: string]: number;
  };
  /** the problems; their order has no meaning. */
  problems: Problem[];
  /** platform to its rating, mostly null; a compatibility field. */
  ratings: {
    [member: string]: JsonValue;
  };
  [member: string]: unknown;
}

/** The repository of a snapshot. */
export interface Repository {
  owner: string;
  name: string;
  branch: string;
  [member: string]: unknown;
}

/** Any JSON value; numbers are in the range of doubles. */
export type JsonValue = null | boolean | string | number | JsonValue[] | {
  [member: string]: JsonValue;
};

/** A real instant in UTC: YYYY-MM-DDTHH:MM:SS.mmmZ. */
export type MillisecondTimestamp = string;

/** One solved problem: a file of the repository. */
export interface Problem {
  /** path of the file in the repository, with `/` between its segments. */
  path: string;
  /** where the problem is published; an open set. */
  platform: string;
  /** programming language. */
  language: string;
  /** display title. */
  title: string;
  /** URL of the statement. */
  problemUrl: string;
  /** URL of the file in the repository's web view. */
  githubUrl: string;
  /** URL of the raw file. */
  rawUrl: string;
  /** commit time of the entry with its offset, as it was read; null if unknown. */
  submittedAt: OffsetTime | null;
  [member: string]: unknown;
}

/** A real time with an offset from UTC, as RFC 3339 has it. */
export type OffsetTime = string;

/** A day of the calendar, as YYYY-MM-DD. */
export type CalendarDay = string;

/** The body of every error response. */
export interface ErrorBody {
  error: {
    code: "not_found" | "method_not_allowed" | "service_unavailable";
    /** For people; do not compare it. */
    message: string;
  };
}
