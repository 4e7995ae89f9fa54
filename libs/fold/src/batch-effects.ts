import type { Act, Change, Effects, Envelope, HistoryTrim, Organization, UploadState } from '#libs/domain';

/** A change with the event that caused it. */
export interface CausedChange<C extends Change = Change> {
  change: C;
  /** Its place in the partition's history of assets or of findings. */
  sequence: number;
  /** The finding or asset after the change, as it is stored. */
  json: string;
  envelope: Envelope;
  offset: number;
}

/** An act with the event that it came with. */
export interface CausedAct {
  act: Act;
  envelope: Envelope;
  offset: number;
}

/** What folding a batch caused, for a writer. */
export interface BatchEffects {
  changes: CausedChange[];
  touched: Pick<
    Effects,
    'touchedAssets' | 'touchedFindings' | 'touchedUnread' | 'assetsBefore' | 'findingsBefore'
  >;
  uploads: UploadState[];
  acts: CausedAct[];
  /** As the batch left it, under its entity key; null if it changed nothing. */
  organization: { key: string; state: Organization } | null;
  /** In order. None of the later changes of the batch is affected: the trims can be applied after all of them. */
  trims: HistoryTrim[];
}

export interface FoldedBatch extends BatchEffects {
  /** Number of folded records, from the first of the batch. */
  folded: number;
  /** Events among them that a wrong clock had stamped. */
  setAside: number;
}
