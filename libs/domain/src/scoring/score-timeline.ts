import { riskOf } from './asset-score.ts';
import type { ScoredAsset } from './group-score.ts';
import type { ScoringCatalogue } from './scoring-catalogue.ts';
import type { AssetFacts, FindingFacts } from './scoring-facts.ts';

/** What something was from an instant (epoch ms) until the next one of its list; lists are in the order of instants. */
export interface Since<T> {
  from: number;
  value: T;
}

/** An asset with its findings over some time, as the history knows them. */
export interface AssetTimeline<A extends AssetFacts = AssetFacts> {
  /** Null while the asset was deleted; nothing before the first one. */
  asset: Since<A | null>[];
  /** Of each finding what it was. It ends before the next one where its `activeUntil` says so. */
  findings: Since<FindingFacts>[][];
}

/** The catalogues over the same time. */
export interface ScoringCatalogueTimeline {
  at(instant: number): ScoringCatalogue;
  /** When something changed of what is known of a CVE, in no order. */
  instants(cve: string): number[];
}

/** A score that holds until the next step; null while there was no asset, or a deleted one. */
export type ScoreStep<A extends AssetFacts = AssetFacts> = Since<(ScoredAsset & { asset: A }) | null>;

/**
 * The score of an asset at every instant of a time: a step for `from`, and one for each instant up to `to` at which
 * something that it depends on changed, equal ones too. `scoreAsset` at an instant gives what the last step until then
 * has.
 */
export function scoreTimeline<A extends AssetFacts>(
  timeline: AssetTimeline<A>,
  catalogue: ScoringCatalogueTimeline,
  from: number,
  to: number,
): ScoreStep<A>[] {
  return instantsOf(timeline, catalogue, from, to).map((at) => {
    const asset = holdingAt(timeline.asset, at);
    if (!asset) return { from: at, value: null };
    const findings = timeline.findings.flatMap((segments) => holdingAt(segments, at) ?? []);
    return { from: at, value: { ...riskOf({ asset, findings }, catalogue.at(at), at), asset } };
  });
}

function instantsOf(
  { asset, findings }: AssetTimeline,
  catalogue: ScoringCatalogueTimeline,
  from: number,
  to: number,
): number[] {
  const instants = new Set<number>([from]);
  const add = (at: number) => {
    if (at > from && at <= to) instants.add(at);
  };
  const cves = new Set<string>();
  for (const segment of asset) add(segment.from);
  for (const segments of findings) {
    for (const { from: since, value } of segments) {
      add(since);
      if (mayCount(value)) add(value.activeUntil);
      for (const cve of value.cves) cves.add(cve);
    }
  }
  for (const cve of cves) catalogue.instants(cve).forEach(add);
  return [...instants].sort((a, b) => a - b);
}

/**
 * When the score may change next though nothing happens: the first instant after `at` at which a finding ends that may
 * count, in any state; null where there is none.
 */
export function nextEnd({ findings }: AssetTimeline, at: number): number | null {
  return least(lastOf(findings).filter((finding) => mayCount(finding) && finding.activeUntil > at));
}

/** The first end up to `at` that the history does not confirm: until it does, a signal may still move it. */
export function unconfirmedEnd({ findings }: AssetTimeline, at: number): number | null {
  return least(lastOf(findings).filter((finding) => mayCount(finding) && finding.activeUntil <= at));
}

const mayCount = ({ state, cves, techniques }: FindingFacts): boolean =>
  state !== 'Retired' && cves.length + techniques.length > 0;

const lastOf = (findings: Since<FindingFacts>[][]): FindingFacts[] =>
  findings.flatMap((segments) => segments.at(-1)?.value ?? []);

const least = (findings: FindingFacts[]): number | null =>
  findings.reduce<number | null>(
    (first, { activeUntil }) => (first === null || activeUntil < first ? activeUntil : first),
    null,
  );

function holdingAt<T>(segments: Since<T>[], at: number): T | undefined {
  return segments.findLast(({ from }) => from <= at)?.value;
}
