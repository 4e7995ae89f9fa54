import type { AssetTimeline, ScoreStep, ScoringCatalogueTimeline, Since } from './asset-timeline.ts';
import { RunningScore } from './running-score.ts';
import type { AssetFacts, FindingFacts } from './scoring-facts.ts';

/**
 * The score of an asset at every instant of a time: a step for `from`, and one for each instant at which something that
 * it depends on changed, equal ones too. `scoreAsset` at an instant gives what the last step until then has. The effort
 * grows with the findings and the changes, not with their product.
 * @param to up to here findings have ended and catalogues changed; what is known of later instants is told too
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

/** Instant → the findings, by place in the timeline, of which something changes then. */
function touchedAt(
  { asset, findings }: AssetTimeline,
  catalogue: ScoringCatalogueTimeline,
  from: number,
  to: number,
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
    for (const { from: since, value } of segments) {
      touch(since, finding);
      if (mayCount(value) && value.activeUntil <= to) touch(value.activeUntil, finding);
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
  return touched;
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
