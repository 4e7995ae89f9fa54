import type { ChangeCause, FindingChanged } from '#libs/contracts';
import { type Finding, type FindingState, triageOf } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { findingFacts, instanceView } from '#libs/views';
import { abridgedFinding, STATE_BYTES_MAX } from './abridge.ts';

/** A row of `finding_history` with the other fields that subscribers receive. */
export interface FindingHistoryRow {
  sequence: number;
  at: number;
  change: string;
  from_state: FindingState | null;
  to_state: FindingState;
  reason: string | null;
  cause: ChangeCause;
  log_offset: number;
  body: Finding;
  /** Length of the stored body. */
  bytes: number;
  asset_id: string;
  asset_name: string;
  last_seen: number;
  expires_at: number;
}

/** The finding as its row of the history has it, in the words of the API. */
export function findingChanged(row: FindingHistoryRow, partition: number): FindingChanged {
  const { body: finding } = row;
  const facts = findingFacts({
    assetId: row.asset_id,
    assetName: row.asset_name,
    finding,
    state: finding.state,
    retiredReason: finding.retiredReason,
  });
  // Each name, because V8 takes 50 µs to add this many fields to the copy that a spread makes.
  const changed: FindingChanged = {
    id: facts.id,
    assetId: facts.assetId,
    assetName: facts.assetName,
    type: facts.type,
    subtype: facts.subtype,
    name: facts.name,
    state: facts.state,
    retiredReason: facts.retiredReason,
    severity: facts.severity,
    cves: facts.cves,
    techniques: facts.techniques,
    counted: facts.counted,
    notCountedBecause: facts.notCountedBecause,
    source: facts.source,
    controlType: facts.controlType,
    assignee: facts.assignee,
    tags: facts.tags,
    dueReason: facts.dueReason,
    tickets: facts.tickets,
    comments: facts.comments,
    description: finding.description,
    instances: finding.instances.map(instanceView),
    instanceCount: finding.instances.length,
    abridged: false,
    remediation: finding.remediation,
    nextSubmissionIntervalInMins: finding.source.nextSubmissionIntervalInMins,
    firstSeen: finding.firstSeen,
    lastSeen: row.last_seen,
    expiresAt: row.expires_at,
    accepted: finding.accepted,
    heldFailed: finding.heldFailed,
    due: triageOf(finding).due?.at ?? null,
    failedSince: finding.failedSince ?? null,
    settledAt: finding.settledAt ?? null,
    version: finding.version,
    updatedAt: finding.updatedAt,
    change: {
      name: row.change,
      from: row.from_state,
      to: row.to_state,
      reason: row.reason,
      at: row.at,
      cause: row.cause,
      sequence: row.sequence,
      position: { topic: INTAKE_TOPIC, partition, offset: row.log_offset },
    },
  };
  return row.bytes > STATE_BYTES_MAX ? abridgedFinding(changed) : changed;
}
