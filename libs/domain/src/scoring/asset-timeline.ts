import type { ScoredAsset } from './group-score.ts';
import type { ScoringCatalogue } from './scoring-catalogue.ts';
import type { AssetFacts, FindingFacts } from './scoring-facts.ts';

/** What something was from an instant (epoch ms) until the next one of its list; lists are in the order of instants. */
export interface Since<T> {
  from: number;
  value: T;
}

/** An asset with its findings over some time, as the history knows them. */
export interface AssetTimeline<A extends AssetFacts = AssetFacts, F extends FindingFacts = FindingFacts> {
  /** Null while the asset was deleted; nothing before the first one. */
  asset: Since<A | null>[];
  /** Of each finding what it was. It ends before the next one where its `activeUntil` says so. */
  findings: Since<F>[][];
}

/** The catalogues over the same time. */
export interface ScoringCatalogueTimeline<C extends ScoringCatalogue = ScoringCatalogue> {
  at(instant: number): C;
  /** When something changed of what is known of a CVE, in no order. */
  instants(cve: string): number[];
  /** When techniques or their mitigations changed, in no order; left out if they never change. */
  techniqueInstants?(): readonly number[];
}

/** A score that is valid until the next step; null while the asset did not exist or was deleted. */
export type ScoreStep<A extends AssetFacts = AssetFacts> = Since<(ScoredAsset & { asset: A }) | null>;
