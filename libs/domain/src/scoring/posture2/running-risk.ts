import type { AssetTimeline, ScoringCatalogueTimeline, Since } from '../asset-timeline.ts';
import { Greatest } from '../greatest.ts';
import { isActive } from '../scoring-facts.ts';
import { type AssetRisk, riskOfSums } from './asset-risk.ts';
import type { AssessedFinding, ThreatCatalogue, ThreatenedAsset } from './facts.ts';
import { mapInterval, zipIntervals } from './interval.ts';
import { evidenceRisk, NO_HAZARD_SUMS, type RiskSums, square, weaknessRisk } from './risk-sums.ts';
import { Controls, controlVerdict, coveredTechniques } from './susceptibility.ts';
import type { Targeting } from './targeting.ts';
import {
  type AssetContext,
  assetContext,
  type FindingThreats,
  mappingsOf,
  threatsOf,
  type Weakness,
} from './weakness.ts';

export type ThreatTimeline<A extends ThreatenedAsset = ThreatenedAsset> = AssetTimeline<A, AssessedFinding>;
export type ThreatCatalogueTimeline = ScoringCatalogueTimeline<ThreatCatalogue>;

/** An asset's risk until the next step; null while there was no asset, or a deleted one. */
export type RiskStep<A extends ThreatenedAsset = ThreatenedAsset> = Since<(AssetRisk & { asset: A }) | null>;

export type TechniqueLookups = Pick<ThreatCatalogue, 'techniqueOf' | 'mitigationsOf'>;

/** Without what the catalogue knows of CVEs, which would stay in memory with it. */
export const techniquesOf = ({ techniqueOf, mitigationsOf }: ThreatCatalogue): TechniqueLookups => ({
  techniqueOf,
  ...(mitigationsOf && { mitigationsOf }),
});

/** What findings bring to a weakness: the greatest hazard and the greatest impact count (R-SCORE-5). */
interface Brought {
  hazards: Greatest;
  impacts: Greatest;
}

/**
 * An asset's risk that moves on in time: only what changed is computed again, everything if a control, a technique or a
 * mitigation changed.
 */
export class RunningRisk<A extends ThreatenedAsset> {
  private asset: A | null = null;
  private readonly threats: (FindingThreats | null)[];
  /** Of each finding what it covers as a control, in a text; empty if it is none. */
  private readonly coverage: string[];
  private controls: Controls;
  /** The lookups of techniques that everything is computed with: others mean that techniques may have changed. */
  private techniques: TechniqueLookups | null = null;
  private readonly weaknesses = new Map<string, Brought>();
  private readonly sums: RiskSums = { ...NO_HAZARD_SUMS, weighted: 0n };
  private mapped = 0;

  constructor(
    private readonly timeline: ThreatTimeline<A>,
    private readonly catalogue: ThreatCatalogueTimeline,
    private readonly targeting: Targeting,
  ) {
    this.threats = timeline.findings.map(() => null);
    this.coverage = timeline.findings.map(() => '');
    this.controls = new Controls(undefined);
  }

  /** The risk at an instant not before the last one. @param touched findings of which something changed since */
  moveTo(at: number, touched: ReadonlySet<number>): RiskStep<A>['value'] {
    this.addPlaces();
    const asset = this.timeline.asset.findLast(({ from }) => from <= at)?.value ?? null;
    const isSame = asset !== null && this.asset !== null && haveSameContext(asset, this.asset);
    // What is touched while there is no asset is looked at when it returns.
    this.asset = asset;
    if (asset === null) return null;
    const catalogue = this.catalogue.at(at);
    const areTechniquesSame =
      catalogue.techniqueOf === this.techniques?.techniqueOf &&
      catalogue.mitigationsOf === this.techniques?.mitigationsOf;
    this.techniques = techniquesOf(catalogue);
    const areControlsSame =
      areTechniquesSame && this.updateControls(isSame ? touched : this.threats.keys(), catalogue, at);
    if (!areTechniquesSame) this.resetControls(catalogue, at);
    const context = assetContext(asset, {
      controls: this.controls,
      catalogue,
      targeting: this.targeting,
      at,
    });
    for (const place of isSame && areControlsSame ? touched : this.threats.keys())
      this.update(place, context);
    return { ...riskOfSums({ ...this.sums }, this.mapped > 0, asset, this.targeting), asset };
  }

  /** For findings that were added to the timeline since. */
  private addPlaces(): void {
    while (this.threats.length < this.timeline.findings.length) {
      this.threats.push(null);
      this.coverage.push('');
    }
  }

  private factsAt(place: number, at: number): AssessedFinding | undefined {
    return this.timeline.findings[place]!.findLast(({ from }) => from <= at)?.value;
  }

  /** Whether all controls are as they were. */
  private updateControls(touched: Iterable<number>, catalogue: ThreatCatalogue, at: number): boolean {
    const isOther = (place: number) => this.coverageAt(place, catalogue, at) !== this.coverage[place];
    if (![...touched].some(isOther)) return true;
    this.resetControls(catalogue, at);
    return false;
  }

  private resetControls(catalogue: ThreatCatalogue, at: number): void {
    this.controls = new Controls(catalogue.mitigationsOf);
    for (const place of this.coverage.keys()) {
      this.coverage[place] = this.coverageAt(place, catalogue, at, this.controls);
    }
  }

  /** @param controls to add it to */
  private coverageAt(place: number, catalogue: ThreatCatalogue, at: number, controls?: Controls): string {
    const facts = this.factsAt(place, at);
    const verdict = facts && controlVerdict(facts, at);
    if (!verdict) return '';
    const techniques = coveredTechniques(mappingsOf(facts, catalogue), verdict);
    controls?.add(facts.id, techniques, verdict);
    return [verdict, ...techniques].join();
  }

  private update(place: number, context: AssetContext): void {
    const facts = this.factsAt(place, context.at);
    const isCounted = facts && isActive(facts, context.at);
    this.replace(place, isCounted ? threatsOf(facts, mappingsOf(facts, context.catalogue), context) : null);
  }

  private replace(place: number, after: FindingThreats | null): void {
    const before = this.threats[place]!;
    this.threats[place] = after;
    this.mapped += (after?.isMapped ? 1 : 0) - (before?.isMapped ? 1 : 0);
    this.addEvidence(before, -1n);
    this.addEvidence(after, 1n);
    for (const one of before?.weaknesses ?? []) this.change(one, 'remove');
    for (const one of after?.weaknesses ?? []) this.change(one, 'add');
  }

  private addEvidence(threats: FindingThreats | null, sign: bigint): void {
    if (!threats?.evidence) return;
    const { hazard } = threats.evidence;
    const squares = mapInterval(hazard, (value) => sign * square(value));
    this.sums.evidence = zipIntervals(this.sums.evidence, squares, (a, b) => a + b);
    this.sums.weighted += sign * evidenceRisk(hazard);
  }

  private change({ key, hazard, impact }: Weakness, how: 'add' | 'remove'): void {
    const brought = this.weaknesses.get(key) ?? { hazards: new Greatest(), impacts: new Greatest() };
    this.addWeakness(brought, -1n);
    brought.hazards[how](hazard);
    brought.impacts[how](impact);
    this.addWeakness(brought, 1n);
    if (brought.hazards.isEmpty) this.weaknesses.delete(key);
    else this.weaknesses.set(key, brought);
  }

  private addWeakness(
    { hazards: { value: hazard }, impacts: { value: impact } }: Brought,
    sign: bigint,
  ): void {
    this.sums.forecast += sign * square(hazard);
    this.sums.weighted += sign * weaknessRisk({ hazard, impact });
  }
}

/** Criticality changes no hazard. */
const haveSameContext = (a: ThreatenedAsset, b: ThreatenedAsset): boolean =>
  a.confidentialityRequirement === b.confidentialityRequirement &&
  a.integrityRequirement === b.integrityRequirement &&
  a.availabilityRequirement === b.availabilityRequirement &&
  a.attackSurface === b.attackSurface &&
  a.isEdrManaged === b.isEdrManaged &&
  a.ipAddresses.length === b.ipAddresses.length &&
  a.ipAddresses.every((address, i) => address === b.ipAddresses[i]);
