import { NO_RISK, riskFrom } from './asset-score.ts';
import type { AssetTimeline, ScoreStep, ScoringCatalogueTimeline, Since } from './asset-timeline.ts';
import { Greatest } from './greatest.ts';
import { type AssetFacts, type FindingFacts, isActive } from './scoring-facts.ts';
import { exposuresOf, keyOf } from './weaknesses.ts';

/** A finding's hazard of each weakness, by its key; null if it is not active or has no valid mapping. */
type Hazards = Map<string, number> | null;

/** The score of an asset over time. Each step computes only what has changed. */
export class RunningScore<A extends AssetFacts> {
  private asset: A | null | undefined;
  private readonly hazards: Hazards[];
  /** Weakness → the hazards that findings give it; the greatest counts (R-SCORE-5). */
  private readonly weaknesses = new Map<string, Greatest>();
  private total = 0;
  private mapped = 0;

  constructor(
    private readonly timeline: AssetTimeline<A>,
    private readonly catalogue: ScoringCatalogueTimeline,
  ) {
    this.hazards = timeline.findings.map(() => null);
  }

  /** The score at an instant not before the last one. @param touched findings of which something changed since */
  moveTo(at: number, touched: ReadonlySet<number>): ScoreStep<A>['value'] {
    // Findings may have been added to the timeline since.
    while (this.hazards.length < this.timeline.findings.length) this.hazards.push(null);
    const asset = holdingAt(this.timeline.asset, at) ?? null;
    const isSame = asset !== null && this.asset && haveSameRequirements(asset, this.asset);
    if (asset !== null) {
      for (const finding of isSame ? touched : this.hazards.keys()) this.update(finding, asset, at);
    }
    // Changes while the asset is deleted are processed when it returns.
    this.asset = asset;
    if (asset === null) return null;
    return { ...(this.mapped > 0 ? riskFrom(this.total, asset) : NO_RISK), asset };
  }

  private update(finding: number, asset: A, at: number): void {
    const facts = holdingAt(this.timeline.findings[finding]!, at);
    this.replace(finding, facts && isActive(facts, at) ? this.hazardsOf(facts, asset, at) : null);
  }

  private hazardsOf(facts: FindingFacts, asset: A, at: number): Hazards {
    const { isMapped, exposures } = exposuresOf(facts, asset, this.catalogue.at(at));
    return isMapped ? new Map(exposures.map((one) => [keyOf(one), one.hazard])) : null;
  }

  private replace(finding: number, after: Hazards): void {
    const before = this.hazards[finding]!;
    this.hazards[finding] = after;
    this.mapped += (after ? 1 : 0) - (before ? 1 : 0);
    for (const [key, hazard] of before ?? []) this.change(key, (brought) => brought.remove(hazard));
    for (const [key, hazard] of after ?? []) this.change(key, (brought) => brought.add(hazard));
  }

  private change(key: string, apply: (brought: Greatest) => void): void {
    const brought = this.weaknesses.get(key) ?? new Greatest();
    this.total -= brought.value;
    apply(brought);
    this.total += brought.value;
    if (brought.isEmpty) this.weaknesses.delete(key);
    else this.weaknesses.set(key, brought);
  }
}

/** Severity depends on nothing else of the asset. */
const haveSameRequirements = (a: AssetFacts, b: AssetFacts): boolean =>
  a.confidentialityRequirement === b.confidentialityRequirement &&
  a.integrityRequirement === b.integrityRequirement &&
  a.availabilityRequirement === b.availabilityRequirement;

function holdingAt<T>(segments: Since<T>[], at: number): T | undefined {
  return segments.findLast(({ from }) => from <= at)?.value;
}
