import type { ScoringCatalogue } from '../scoring-catalogue.ts';
import type { ScoringSubject } from '../scoring-facts.ts';

/** The catalogues and the instant that one side of a move is scored with. */
export interface Moment {
  catalogue: ScoringCatalogue;
  /** Epoch ms. */
  at: number;
}

/** One asset on both sides of a move; null on the side where it did not exist, or was not of the group. */
export interface AssetMove {
  assetId: string;
  from: ScoringSubject | null;
  to: ScoringSubject | null;
}

export type CauseKind = 'finding' | 'acceptance' | 'catalogue' | 'asset';

/** What moved a score. */
export interface Cause {
  kind: CauseKind;
  /** Id of the finding or asset; the CVE or technique of a catalogue change. */
  id: string;
  /** Of a finding or an asset; null where a catalogue change touched many. */
  assetId: string | null;
  /** Name of the finding; null for anything else. */
  name: string | null;
  /** What became of it, in words. */
  what: string;
}
