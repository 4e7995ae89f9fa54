import { attackTechnique } from '#libs/catalogue';
import {
  countsForScoring,
  cvesOf,
  type Finding,
  type FindingState,
  type InstanceStatus,
  observationOf,
  severityOf,
  techniquesOf,
} from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import type { FindingDto, FindingItemDto, HistoryItemDto } from './finding.dto.ts';
import type { FindingRow } from './findings.repository.ts';
import type { PastFindingRow } from './findings-as-of.repository.ts';
import type { HistoryRow } from './read-history.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));

const STATUS_NAMES: Record<InstanceStatus, string> = {
  fail: 'Failed',
  pass: 'Qualified',
  unknown: 'NotAssessed',
};

const MINUTE_MS = 60_000;

/** A finding as a reader sees it at an instant, the present or another. */
export interface SeenFinding extends Pick<FindingRow, 'assetId' | 'assetName' | 'finding'> {
  state: FindingState;
  retiredReason: Finding['retiredReason'];
  /** Null where they are not known of a past instant. */
  lastSeen: number | null;
  expiresAt: number | null;
  /** Null where its source is not late, or that is not known of a past instant. */
  overdueSince: number | null;
}

export const presentFinding = (row: FindingRow, now: number): SeenFinding => ({
  ...row,
  ...stateAt(row, now),
  overdueSince: overdueSince(row, now),
});

export function pastFinding({ fellDue, seen, ...row }: PastFindingRow, at: number): SeenFinding {
  const { state, retiredReason } = row.finding;
  return {
    ...row,
    state: fellDue ? 'Retired' : state,
    retiredReason: fellDue ?? retiredReason,
    lastSeen: seen?.lastSeen ?? null,
    expiresAt: seen?.expiresAt ?? null,
    overdueSince: seen && overdueSince({ finding: row.finding, lastSignalAt: seen.lastSignalAt }, at),
  };
}

export function findingView(seen: SeenFinding): FindingDto {
  const { finding } = seen;
  return {
    ...headOf(seen),
    description: finding.description,
    instances: finding.instances.map(({ key, status, counted, evidence, tags }) => ({
      key,
      status: STATUS_NAMES[status],
      counted,
      evidence,
      tags,
    })),
    remediation: finding.remediation,
    observation: observationOf(finding),
  };
}

export const findingItem = (seen: SeenFinding): FindingItemDto => ({
  ...headOf(seen),
  instanceCount: seen.finding.instances.length,
});

function headOf({ finding, state, retiredReason, ...seen }: SeenFinding) {
  const severity = severityOf(finding);
  const mappings = { cves: cvesOf(finding), techniques: techniquesOf(finding) };
  return {
    id: finding.id,
    assetId: seen.assetId,
    assetName: seen.assetName,
    type: finding.type,
    subtype: finding.subtype,
    name: finding.name,
    state,
    retiredReason,
    severity: {
      value: severity.value,
      level: severity.level,
      vector: severity.vector,
      baseScore: severity.baseScore,
      type: severity.type,
    },
    ...mappings,
    ...countsForScoring({ state, ...mappings }, attackTechnique),
    source: finding.source.name,
    controlType: finding.controlType,
    firstSeen: iso(finding.firstSeen),
    lastSeen: isoOrNull(seen.lastSeen),
    expiresAt: isoOrNull(seen.expiresAt),
    accepted: finding.accepted && {
      by: finding.accepted.by,
      at: iso(finding.accepted.at),
      rationale: finding.accepted.rationale,
      until: isoOrNull(finding.accepted.until),
    },
    heldFailed: finding.heldFailed && { by: finding.heldFailed.by, at: iso(finding.heldFailed.at) },
    overdueSince: isoOrNull(seen.overdueSince),
    version: finding.version,
    updatedAt: iso(finding.updatedAt),
  };
}

/** A finding that fell due is Retired to every reader, also before the fold has heard of it (rule 3). */
function stateAt(
  { finding, expiresAt, retainUntil }: FindingRow,
  now: number,
): Pick<Finding, 'retiredReason'> & { state: FindingState } {
  const isDue = finding.state !== 'Retired' && Math.min(expiresAt, retainUntil) <= now;
  if (isDue) return { state: 'Retired', retiredReason: expiresAt <= retainUntil ? 'expired' : 'retention' };
  return { state: finding.state, retiredReason: finding.retiredReason };
}

/** `source.nextSubmissionIntervalInMins` after the last signal, where that has passed (D14). */
function overdueSince(
  { finding, lastSignalAt }: Pick<FindingRow, 'finding' | 'lastSignalAt'>,
  now: number,
): number | null {
  const minutes = finding.source.nextSubmissionIntervalInMins;
  if (minutes === null) return null;
  const due = lastSignalAt + minutes * MINUTE_MS;
  return due < now ? due : null;
}

export const historyItem = (row: HistoryRow): HistoryItemDto => ({
  at: iso(row.at),
  change: row.change,
  from: row.fromState,
  to: row.toState,
  reason: row.reason,
  cause: {
    kind: row.cause.kind,
    uploadId: row.cause.uploadId,
    entry: row.cause.entry,
    syncId: row.cause.syncId,
    user: row.cause.user,
  },
  position: { topic: INTAKE_TOPIC, partition: row.partition, offset: row.logOffset },
});
