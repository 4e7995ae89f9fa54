import type { HistoryTrimmed } from '../events.ts';
import type { Organization } from '../organization/organization.ts';
import type { Asset, AssetState, Finding, FindingState, RetiredReason, UnreadFinding } from '../state.ts';

export type FindingChangeName =
  | 'created'
  | 'updated'
  | 'stateChanged'
  | 'retired'
  | 'returned'
  | 'accepted'
  | 'reverted'
  | 'assigned'
  | 'tagged'
  | 'dueSet'
  | 'ticketsChanged'
  | 'commented'
  | 'erased';

/** A finding after a change; one history item each. */
export interface FindingChange {
  kind: 'finding';
  change: FindingChangeName;
  /** null at creation. */
  from: FindingState | null;
  to: FindingState;
  reason: RetiredReason | ChangeReason | null;
  assetNumber: number;
  finding: Finding;
  /** The partition's clock (R-FOLD-3). */
  at: number;
  /** Since when readers saw it Retired, if it had expired before this change (as-of); null for all other changes. */
  expiredAt: number | null;
}

/** Why a state moved without a signal saying so by itself. */
export type ChangeReason = 'acceptanceEnded' | 'acceptanceOverridden' | 'user' | 'clockCorrected';

export interface AssetChange {
  kind: 'asset';
  change: 'created' | 'updated' | 'returned' | 'deleted' | 'erased';
  asset: Asset;
  at: number;
}

export type Change = FindingChange | AssetChange;

/** Why the fold refused a user's act (R-FOLD-6); the waiting request answers 404 or 409. */
export type Refusal =
  | 'unknown'
  | 'stale'
  | 'notFailed'
  | 'notAccepted'
  | 'tooMany'
  | 'nameTaken'
  | 'isDefault'
  | 'clockAhead'
  | 'notAhead';

/** One act of a user for the audit trail, done or refused. */
export interface Act {
  /** The object and the act, such as `finding.accepted`. */
  action: string;
  /** Id of the object, or `settings`. */
  target: string;
  /** The request, or the values before and after it. */
  detail: Record<string, unknown>;
  refused: Refusal | null;
}

/** Removes history that is older than its retention: see `HistoryTrimmed`. */
export type HistoryTrim = Omit<HistoryTrimmed, 'type'>;

/** What folding caused, for the store to write: gathered over one event or over a batch. */
export interface Effects {
  changes: Change[];
  /** Assets and findings with a new row, or with only new values of the fields that every signal updates. */
  touchedAssets: Set<AssetState>;
  touchedFindings: Map<string, AssetState>;
  /** Unread findings with new values of these fields. */
  touchedUnread: Map<UnreadFinding, AssetState>;
  /** Each changed asset, by number, and each changed finding, by id, before its first change; null: it is new. */
  assetsBefore: Map<number, Asset | null>;
  findingsBefore: Map<string, Finding | null>;
  acts: Act[];
  /** The organization after the last event that changed it; null if none did. */
  organization: Organization | null;
  /** In order. */
  trims: HistoryTrim[];
  /** Events that were stamped by a wrong clock, and changed nothing. */
  setAside: number;
}

export const noEffects = (): Effects => ({
  changes: [],
  touchedAssets: new Set(),
  touchedFindings: new Map(),
  touchedUnread: new Map(),
  assetsBefore: new Map(),
  findingsBefore: new Map(),
  acts: [],
  organization: null,
  trims: [],
  setAside: 0,
});
