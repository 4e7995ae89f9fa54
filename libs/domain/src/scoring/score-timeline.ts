import type { AssetTimeline, ScoreStep, ScoringCatalogueTimeline, Since } from './asset-timeline.ts';
import { RunningScore } from './running-score.ts';
import type { AssetFacts, FindingFacts } from './scoring-facts.ts';

/**
 * The score of an asset at every instant of a time: a step for `from`, and one for each instant at which something that
 * it depends on changed, equal ones too. `scoreAsset` at an instant gives the score of the last step until then. The
 * effort grows with the findings and the changes, not with their product.
 * @param to up to here findings have ended and catalogues changed; known later changes are returned too
 */
export function scoreTimeline<A extends AssetFacts>(
  timeline: AssetTimeline<A>,
  catalogue: ScoringCatalogueTimeline,
  from: number,
  to: number,
): ScoreStep<A>[] {
  const score = new RunningScore(timeline, catalogue);
  return [...touchedAt(timeline, catalogue, from, to)]
    .sort(([a], [b]) => a - b)
    .map(([at, findings]) => ({ from: at, value: score.moveTo(at, findings) }));
}

/** Further instants at which a finding changes by itself, while it is as it is from one instant until another. */
export type OwnInstants<F extends FindingFacts> = (finding: F, from: number, until: number) => number[];

/** Instant → the findings, by place in the timeline, of which something changes then. */
export function touchedAt<F extends FindingFacts>(
  { asset, findings }: Pick<AssetTimeline<AssetFacts, F>, 'asset' | 'findings'>,
  catalogue: Pick<ScoringCatalogueTimeline, 'instants' | 'techniqueInstants'>,
  from: number,
  to: number,
  ownInstants?: OwnInstants<F>,
): Map<number, Set<number>> {
  const touched = new Map<number, Set<number>>([[from, new Set(findings.keys())]]);
  const touch = (at: number, finding: number | null) => {
    if (at <= from) return;
    const known = touched.get(at) ?? new Set();
    touched.set(at, finding === null ? known : known.add(finding));
  };
  for (const segment of asset) touch(segment.from, null);
  const findingsOf = new Map<string, Set<number>>();
  for (const [finding, segments] of findings.entries()) {
    for (const [place, { from: since, value }] of segments.entries()) {
      touch(since, finding);
      const next = segments[place + 1]?.from;
      // A later change confirms what ended before it, also if the clock of the scorer is behind.
      const knownTo = Math.max(to, next ?? to);
      for (const at of ownInstants?.(value, since, next ?? Number.POSITIVE_INFINITY) ?? []) {
        if (at <= knownTo) touch(at, finding);
      }
      if (mayCount(value) && value.activeUntil <= knownTo) touch(value.activeUntil, finding);
      for (const cve of value.cves) {
        const known = findingsOf.get(cve);
        if (known) known.add(finding);
        else findingsOf.set(cve, new Set([finding]));
      }
    }
  }
  for (const [cve, having] of findingsOf) {
    for (const at of catalogue.instants(cve)) {
      if (at <= to) for (const finding of having) touch(at, finding);
    }
  }
  for (const at of catalogue.techniqueInstants?.() ?? []) {
    if (at <= to) for (const finding of findings.keys()) touch(at, finding);
  }
  return touched;
}

/**
 * When the score may change next though nothing happens: the first instant after `at` at which a finding ends that may
 * count, in any state; null if there is none.
 */
export function nextEnd({ findings }: AssetTimeline, at: number): number | null {
  return least(lastOf(findings).filter((finding) => mayCount(finding) && finding.activeUntil > at));
}

/**
 * The first instant after `at` from which on a catalogue says something else about a finding that may count, as an import
 * that is dated ahead of the clock does; null if none is known.
 */
export function nextCatalogueChange(
  { findings }: Pick<AssetTimeline, 'findings'>,
  catalogue: Pick<ScoringCatalogueTimeline, 'instants' | 'techniqueInstants'>,
  at: number,
): number | null {
  const counted = lastOf(findings).filter(mayCount);
  if (counted.length === 0) return null;
  let first = Number.POSITIVE_INFINITY;
  const look = (instants: readonly number[]) => {
    for (const one of instants) if (one > at && one < first) first = one;
  };
  for (const cve of new Set(counted.flatMap(({ cves }) => cves))) look(catalogue.instants(cve));
  look(catalogue.techniqueInstants?.() ?? []);
  return Number.isFinite(first) ? first : null;
}

/** The first end up to `at` that the history does not confirm: until it does, a signal may still move it. */
export function unconfirmedEnd({ findings }: AssetTimeline, at: number): number | null {
  return least(lastOf(findings).filter((finding) => mayCount(finding) && finding.activeUntil <= at));
}

export const mayCount = ({ state, cves, techniques }: FindingFacts): boolean =>
  state !== 'Retired' && cves.length + techniques.length > 0;

const lastOf = (findings: Since<FindingFacts>[][]): FindingFacts[] =>
  findings.flatMap((segments) => segments.at(-1)?.value ?? []);

const least = (findings: FindingFacts[]): number | null =>
  findings.reduce<number | null>(
    (first, { activeUntil }) => (first === null || activeUntil < first ? activeUntil : first),
    null,
  );
