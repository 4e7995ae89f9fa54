import type { FindingType, Level } from '#libs/domain';

/** As much of a partition as a report was made of. */
export interface ReportPartition {
  partition: number;
  /** Records up to the instant, so also the offset after the last one. */
  records: number;
  /** Head of the chain over them, 64 hexadecimal digits (docs/log-file.md "The file"). */
  head: string;
}

/** Which history a report speaks of: two reports with one head say the same. */
export interface ReportHead {
  logId: string;
  /** The instant, ISO 8601 UTC with milliseconds. */
  asOf: string;
  /** Over log, ends and heads (`logFingerprint`), 64 hexadecimal digits. */
  fingerprint: string;
  /** In ascending order, all of them. */
  partitions: ReportPartition[];
}

/** The counts, each in the order of its keys. */
export interface ReportTotals {
  /** Live assets. */
  assets: number;
  assetsByType: [type: string, count: number][];
  /** Every finding that there ever was until the instant, those of deleted assets too. */
  findingsByState: [state: string, count: number][];
  /** Findings that are Failed. */
  openFindingsByType: [type: string, count: number][];
  openFindingsBySeverity: [level: string, count: number][];
}

/** All that is before the assets. */
export interface ReportSummary extends ReportHead {
  totals: ReportTotals;
}

/** A finding that is Failed, in the words of the API. */
export interface ReportFinding {
  id: string;
  type: FindingType;
  name: string;
  severity: number;
  /** As its source says, or else that of the number (`severityLevel`). */
  severityLevel: Level;
  cves: string[];
  techniques: string[];
  source: string | null;
  firstSeen: string;
  lastSeen: string;
  expiresAt: string;
}

/** A finding whose failure a user has accepted. */
export interface ReportAcceptedFinding extends ReportFinding {
  acceptedBy: string;
  acceptedSince: string;
  /** Null: without an end. */
  acceptedUntil: string | null;
  rationale: string;
}

/** A live asset with its open and its accepted findings, worst first. */
export interface ReportAsset {
  id: string;
  name: string;
  type: string;
  attackSurface: string;
  department: string;
  location: string;
  criticality: string | null;
  open: ReportFinding[];
  accepted: ReportAcceptedFinding[];
}

/** A report before it takes a form. */
export interface Report {
  summary: ReportSummary;
  /** By name, then id, both by code unit; can be read more than once. */
  assets(): AsyncIterable<ReportAsset>;
}
