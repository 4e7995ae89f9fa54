import type {
  AssetTyping,
  EntityType,
  Level,
  ObservedContent,
  ObservedInstance,
  Source,
  Tags,
  Ticket,
  UploadHeader,
} from './events.ts';
import type { Organization } from './organization/organization.ts';

/** Order of uploads: receipt time, then upload id (R-FOLD-4). */
export interface Stamp {
  at: number;
  uploadId: string;
}

export type ActiveState = 'Failed' | 'Qualified' | 'NotAssessed' | 'AcceptedFailed';
export type FindingState = ActiveState | 'Retired';
export type RetiredReason = 'expired' | 'replaced' | 'retention' | 'revoked' | 'assetDeleted';

/** Who is responsible for a finding; the name of a user is a personal text. */
export type Assignee = { user: string } | { team: string };

/** What users decided about the work on a finding; signals do not change it. */
export interface Triage {
  assignee: Assignee | null;
  /** Sorted. */
  tags: string[];
  due: { at: number; reason: string | null } | null;
  /** Sorted by address. */
  tickets: Ticket[];
  /** Number of comments, whose texts are in the audit trail. */
  comments: number;
}

/** The content of a finding. Each change of its content adds an item to the history. */
export interface Finding extends ObservedContent {
  /** Counted per asset, from 1. */
  number: number;
  id: string;
  name: string;
  description: string | null;
  source: Source;
  confidence: number | null;
  state: FindingState;
  retiredReason: RetiredReason | null;
  /** Sorted by key. */
  instances: ObservedInstance[];
  accepted: { by: string; at: number; rationale: string; until: number | null } | null;
  heldFailed: { by: string; at: number } | null;
  /** Omitted or null: no user has triaged it. */
  triage?: Triage | null;
  extra: string | null;
  firstSeen: number;
  /**
   * The last failing period (R-SLA-1), in epoch milliseconds: its beginning and its end. Omitted or null: none so far,
   * or `firstSeen` of a finding that has not changed under rules 6 and is Failed; it has not ended.
   */
  failedSince?: number | null;
  settledAt?: number | null;
  /** Counts the changes, from 1 (R-FOLD-6). */
  version: number;
  updatedAt: number;
}

/**
 * The fields that every signal of a finding updates, also an unchanged one: stored separately, so that a resend
 * rewrites no wide row.
 */
export interface FindingSeen {
  /**
   * The partition's clock when a signal last updated any of these fields: their values are valid from this time
   * (as-of).
   */
  seenAt: number;
  signalId: string;
  lastSeen: number;
  expiresAt: number;
  retainUntil: number;
  /** The greatest stamp that touched the finding. */
  stamp: Stamp;
  /** The greatest stamp of each instance that was set singly (mode `merge`); null if they share the finding's. */
  instanceStamps: Record<string, Stamp> | null;
}

/** What one source said of an asset, or of one device that is the asset; what it did not say is omitted (R-SRC-1). */
export interface Statement {
  /** Source name of its signals; null: they named none, or it is of several sources (R-SRC-7). */
  source: string | null;
  /** Id of the device at the source's platform; null: of no device. */
  deviceId: string | null;
  /** What the asset showed before statements were kept, or before it was deleted; omitted: it is of a source. */
  isEarlier?: true;
  /** Name of the device at its platform. */
  name?: string;
  /** The partition's clock when it last changed. */
  since: number;
  hostname?: string;
  fqdn?: string;
  ipAddresses?: string[];
  macAddresses?: string[];
  os?: string;
  typing?: AssetTyping;
  /** The source calls it so; omitted: the type of the operating system, or of an event before rules 10. */
  isTypeGiven?: true;
  criticality?: Level;
  confidentialityRequirement?: Level;
  integrityRequirement?: Level;
  availabilityRequirement?: Level;
  department?: string;
  location?: string;
  tags?: Tags;
  customFields?: Tags;
}

export interface Asset {
  /** Unique in the installation: counted per partition and composed with its number. */
  number: number;
  id: string;
  entityType: EntityType;
  name: string;
  /** Every name that it was called, the present one too; sorted. */
  aliases: string[];
  hostname: string | null;
  fqdn: string | null;
  ipAddresses: string[];
  macAddresses: string[];
  os: string | null;
  criticality: Level | null;
  confidentialityRequirement: Level | null;
  integrityRequirement: Level | null;
  availabilityRequirement: Level | null;
  /** Values of sources; the defaults apply only if these are null (R-ASSET-8). */
  department: string | null;
  location: string | null;
  typing: AssetTyping | null;
  defaults: { department: string; location: string; typing: AssetTyping };
  /** Settings that typing and defaults were decided with: an older version replaces neither (R-ASSET-16). */
  settingsVersion: number;
  tags: Tags;
  customFields: Tags;
  sources: string[];
  /**
   * Sources of the integrations whose EDR inventory contains the asset (at most 100), sorted; omitted: none so far.
   */
  edrSources?: string[];
  /** What its sources said, sorted by source and device; omitted: nothing under rules 5 yet. */
  statements?: Statement[];
  /** Sources whose statements take precedence, as the settings were; omitted: none so far. */
  trustedSources?: string[];
  firstSeen: number;
  deletedAt: number | null;
  /** When its personal texts were erased; omitted: they were not. */
  erasedAt?: number | null;
  version: number;
  updatedAt: number;
}

export interface TrackedFinding {
  readonly finding: Finding;
  readonly seen: FindingSeen;
  /** Of the last signal, if nothing else has changed the content since (`DigestOf`); omitted or null: unknown. */
  readonly digest?: string | null;
}

/** A stored finding of which only what `finding_seen` has is in memory: it is active, neither accepted nor held, or Retired. */
export interface UnreadFinding {
  readonly number: number;
  /** As stored: `RETIRED_DIGEST` if it is Retired; null: unknown, so that its content is read next. */
  readonly digest: string | null;
  /** Replaced by the fold. */
  seen: FindingSeen;
  /** Set when its content is read, with its place among the findings of the asset; null before. */
  id: string | null;
}

/** The findings of an asset whose content is not in memory. */
export interface UnreadFindings {
  readonly byNumber: Map<number, UnreadFinding>;
  /** Without Retired ones. */
  readonly byDigest: Map<string, UnreadFinding>;
  /** Ids that the asset has no finding of, as far as was looked up for the present batch. */
  readonly absent: Set<string>;
}

/** An asset with its findings by id, in the order of their numbers. The fold owns the maps; findings are never changed in place. */
export interface AssetState {
  asset: Asset;
  /** Edge time of the last signal or description. */
  lastSeen: number;
  findings: Map<string, TrackedFinding>;
  /** Findings that are read when the fold needs them (`neededFindings`); omitted: all are in `findings`. */
  unread?: UnreadFindings | undefined;
  /**
   * The last description that left the asset as it was. The signals of a scan repeat it for each finding: it says nothing
   * new, at any time, as long as the asset is the same. Never stored; omitted: none so far.
   */
  unchanging?: { asset: Asset; said: object; updateMetadata: boolean } | undefined;
  /** Greatest finding number, and a time before which no finding is due: both derived, never stored. */
  findingCounter: number;
  nothingDueBefore: number;
}

/** All assets of one entity key, in the order they appeared; mostly one (R-ASSET-1). */
export interface EntityState {
  key: string;
  assets: AssetState[];
  /** Of the organization's own key; null for every other. */
  organization: Organization | null;
}

export interface UploadCounts {
  created: number;
  updated: number;
  unchanged: number;
  retired: number;
  assetsCreated: number;
  assetsUpdated: number;
  /** Reason → number; only reasons that occurred. */
  ignored: Record<string, number>;
}

/** The changes of an upload in a partition: where they are in its histories, and how many of each kind there are. */
export interface UploadChanges {
  /** Runs of the history of findings: the first and the last sequence of each, ascending. */
  findings: number[];
  /** The same of the history of assets. */
  assets: number[];
  /** Number of changes by kind, see `kindsOf`. */
  counts: Record<string, number>;
}

/** Progress and outcome of an upload in one partition. */
export interface UploadState {
  uploadId: string;
  kind: string;
  by: string | null;
  stamp: Stamp;
  /** Greatest ordinal folded (R-FOLD-5), and how many there will be. */
  seen: number;
  count: number;
  /** Signals among those folded. */
  signals: number;
  header: UploadHeader | null;
  counts: UploadCounts;
  /** Names that joined an asset of another FQDN (R-ASSET-4); the first 100. */
  merged: { name: string; assetId: string }[];
  /**
   * Numbers of assets that a bare name meant, because each was the only one of its entity, until the assessment of the
   * entity is closed. Null: the upload replaces no assessment.
   */
  soleAssets: Set<number> | null;
  /** The first 100. */
  unrecognisedTags: string[];
  /** Null: unknown, since a version that did not record them has folded a part of the upload. */
  changes: UploadChanges | null;
}

export interface PartitionState {
  partition: number;
  /** Running maximum of event times (R-FOLD-3), in epoch ms: see `clockAfter`. */
  clock: number;
  assetCounter: number;
  /** Those that the current batch needs; the store has all of them. */
  uploads: Map<string, UploadState>;
}
