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
import type { FindingRow, HistoryRow } from './findings.repository.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : iso(ms));

const STATUS_NAMES: Record<InstanceStatus, string> = {
  fail: 'Failed',
  pass: 'Qualified',
  unknown: 'NotAssessed',
};

const MINUTE_MS = 60_000;

export function findingView(row: FindingRow, now: number): FindingDto {
  const { finding } = row;
  return {
    ...headOf(row, now),
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

export const findingItem = (row: FindingRow, now: number): FindingItemDto => ({
  ...headOf(row, now),
  instanceCount: row.finding.instances.length,
});

function headOf(row: FindingRow, now: number) {
  const { finding } = row;
  const { state, retiredReason } = stateAt(row, now);
  const severity = severityOf(finding);
  const mappings = { cves: cvesOf(finding), techniques: techniquesOf(finding) };
  return {
    id: finding.id,
    assetId: row.assetId,
    assetName: row.assetName,
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
    lastSeen: iso(row.lastSeen),
    expiresAt: iso(row.expiresAt),
    accepted: finding.accepted && {
      by: finding.accepted.by,
      at: iso(finding.accepted.at),
      rationale: finding.accepted.rationale,
      until: isoOrNull(finding.accepted.until),
    },
    heldFailed: finding.heldFailed && { by: finding.heldFailed.by, at: iso(finding.heldFailed.at) },
    overdueSince: isoOrNull(overdueSince(row, now)),
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
function overdueSince({ finding, lastSignalAt }: FindingRow, now: number): number | null {
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
