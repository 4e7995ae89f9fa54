import type { ChangeCause, FindingChanged } from '#libs/contracts';
import { type Finding, type FindingState, type ObservedInstance, triageOf } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { findingFacts, instanceView } from '#libs/views';

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

/** A larger finding is abridged: brokers and subscribers have their own size limits. */
export const BODY_BYTES_MAX = 1024 * 1024;
/** Characters of instance keys in an abridged finding. */
export const KEY_CHARACTERS_MAX = 512 * 1024;
/** Characters of CVEs in an abridged finding, and of techniques: all instances can name more than fits a record. */
export const ID_CHARACTERS_MAX = 256 * 1024;

/** The finding as its row of the history has it, in the words of the API. */
export function findingChanged(row: FindingHistoryRow, partition: number): FindingChanged {
  const { body: finding } = row;
  const isAbridged = row.bytes > BODY_BYTES_MAX;
  const facts = findingFacts({
    assetId: row.asset_id,
    assetName: row.asset_name,
    finding,
    state: finding.state,
    retiredReason: finding.retiredReason,
  });
  // Each name, because V8 takes 50 µs to add this many fields to the copy that a spread makes.
  return {
    id: facts.id,
    assetId: facts.assetId,
    assetName: facts.assetName,
    type: facts.type,
    subtype: facts.subtype,
    name: facts.name,
    state: facts.state,
    retiredReason: facts.retiredReason,
    severity: facts.severity,
    cves: isAbridged ? firstOf(facts.cves, ID_CHARACTERS_MAX) : facts.cves,
    techniques: isAbridged ? firstOf(facts.techniques, ID_CHARACTERS_MAX) : facts.techniques,
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
    instances: (isAbridged ? abridged(finding.instances) : finding.instances).map(instanceView),
    instanceCount: finding.instances.length,
    abridged: isAbridged,
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
}

function abridged(instances: ObservedInstance[]): ObservedInstance[] {
  const keys = firstOf(
    instances.map(({ key }) => key),
    KEY_CHARACTERS_MAX,
  );
  return instances.slice(0, keys.length).map((instance) => ({ ...instance, evidence: null, tags: {} }));
}

/** The first texts, up to a number of characters. */
function firstOf(texts: string[], charactersMax: number): string[] {
  let characters = 0;
  const end = texts.findIndex((text) => {
    characters += text.length;
    return characters > charactersMax;
  });
  return end < 0 ? texts : texts.slice(0, end);
}
