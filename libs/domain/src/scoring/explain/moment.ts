import type { ScoringCatalogue } from '../scoring-catalogue.ts';
import type { ScoringSubject } from '../scoring-facts.ts';

/** The catalogues and the instant that one side of a move is scored with. */
export interface Moment<C extends ScoringCatalogue = ScoringCatalogue> {
  catalogue: C;
  /** Epoch ms. */
  at: number;
}

/** One asset on both sides of a move; null on a side on which it did not exist, or was not in the group. */
export interface AssetMove<S extends ScoringSubject = ScoringSubject> {
  assetId: string;
  from: S | null;
  to: S | null;
}

export const CAUSE_KINDS = [
  'finding',
  'acceptance',
  'catalogue',
  'asset',
  'control',
  'age',
  'setting',
] as const;
/** `control`, `age` and `setting` only of posture-2: a control, the age of a detection, the model or its rates. */
export type CauseKind = (typeof CAUSE_KINDS)[number];

/** What moved a score. */
export interface Cause {
  kind: CauseKind;
  /** Id of the finding or asset; the CVE or technique of a catalogue change; the name of a setting. */
  id: string;
  /** Of a finding or an asset; null of a catalogue change or a setting, which touch many. */
  assetId: string | null;
  /** Name of the finding; null for anything else. */
  name: string | null;
  /** Outcome of it, in words. */
  what: string;
  /** Epoch ms from which on a setting is in force; nothing of other causes. */
  at?: number;
}
