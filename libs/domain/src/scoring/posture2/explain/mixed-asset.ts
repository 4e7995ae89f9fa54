import type { Moment } from '../../explain/moment.ts';
import { type AssetThreats, controlsOf, threatsIn } from '../asset-threats.ts';
import { AGE_STEP_MS } from '../evidence.ts';
import type { AssessedFinding, ThreatCatalogue, ThreatenedAsset, ThreatenedSubject } from '../facts.ts';
import { IMPACT_MAX } from '../impact.ts';
import { square } from '../risk-sums.ts';
import { type Controls, controlVerdict, coveredTechniques } from '../susceptibility.ts';
import type { Targeting } from '../targeting.ts';
import { assetContext, type FindingMappings, mappingsOf } from '../weakness.ts';
import { type ExactScore, exactScore } from './exact-score.ts';
import { BITS, type Mixture, type Party, sideOf, without } from './parties.ts';

export type ThreatMoment = Moment<ThreatCatalogue>;
export type Sides<T> = readonly [T, T];

/** What of an asset has a part of its score, in a mixture: weaknesses and evidence, by key. */
export interface MixedThreats {
  weaknesses: AssetThreats['weaknesses'];
  evidence: Map<string, AssetThreats['evidence'][number]>;
}

/** Ids of findings are UUIDs, so no weakness has such a key. */
const evidenceKey = ({ id }: AssessedFinding) => `evidence ${id}`;

/**
 * An asset that exists on both sides of a move, in every mixture of both. Each mixture is computed once: at most 16 for
 * its weaknesses, which do not age, and 4 more for its evidence, which depends on nothing but findings, techniques and age.
 */
export class MixedAsset {
  /** The parties that may differ. The others have no effect. */
  readonly changed: readonly Party[];
  private readonly mask: Mixture;
  private readonly threats = new Map<Mixture, AssetThreats>();
  private readonly scores = new Map<Mixture, ExactScore>();
  private readonly mappings = new Map<Mixture, FindingMappings[]>();
  private readonly controls = new Map<Mixture, Controls>();
  private readonly evidence = new Map<Mixture, MixedThreats['evidence']>();

  constructor(
    readonly subjects: Sides<ThreatenedSubject>,
    readonly moments: Sides<ThreatMoment>,
    private readonly targeting: Targeting,
  ) {
    this.changed = changedParties(subjects, moments);
    this.mask = this.changed.reduce((mask, party) => mask | BITS[party], 0);
  }

  /** The mixture with the same threats in which parties that do not differ are as at the beginning. */
  reduced(mixture: Mixture): Mixture {
    return mixture & this.mask;
  }

  threatsOf(mixture: Mixture): MixedThreats {
    return {
      weaknesses: this.computed(without(mixture, 'age')).weaknesses,
      evidence: this.evidenceOf(mixture),
    };
  }

  /** h × i of a weakness or of evidence; 0 if there is none. */
  productOf(mixture: Mixture, key: string): number {
    const { weaknesses, evidence } = this.threatsOf(mixture);
    const weakness = weaknesses.get(key);
    if (weakness) return weakness.hazard * weakness.impact;
    return (evidence.get(key)?.hazard.best ?? 0) * IMPACT_MAX;
  }

  scoreOf(mixture: Mixture): ExactScore {
    const place = this.reduced(mixture);
    let score = this.scores.get(place);
    if (!score) {
      const { weaknesses, evidence } = this.threatsOf(place);
      let weighted = 0n;
      for (const { hazard, impact } of weaknesses.values()) weighted += square(hazard * impact);
      for (const { hazard } of evidence.values()) weighted += square(hazard.best * IMPACT_MAX);
      score = exactScore(weighted, this.subjects[sideOf(mixture, 'asset')].asset.criticality);
      this.scores.set(place, score);
    }
    return score;
  }

  isScored(mixture: Mixture): boolean {
    return this.computed(without(mixture, 'age')).isScored;
  }

  findingsOf(mixture: Mixture): readonly AssessedFinding[] {
    return this.subjects[sideOf(mixture, 'findings')].findings;
  }

  controlFindingsOf(mixture: Mixture): readonly AssessedFinding[] {
    return this.subjects[sideOf(mixture, 'controls')].findings;
  }

  catalogueOf(mixture: Mixture): ThreatCatalogue {
    return this.moments[sideOf(mixture, 'catalogue')].catalogue;
  }

  controlsOf(mixture: Mixture): Controls {
    const place = this.reduced(without(mixture, 'asset', 'findings', 'age'));
    let controls = this.controls.get(place);
    if (!controls) {
      const { at } = this.moments[sideOf(place, 'controls')];
      const findings = this.controlFindingsOf(place);
      controls = controlsOf(findings, this.mappingsOf(place, 'controls'), this.catalogueOf(place), at);
      this.controls.set(place, controls);
    }
    return controls;
  }

  private evidenceOf(mixture: Mixture): MixedThreats['evidence'] {
    const place = this.reduced(without(mixture, 'asset', 'controls'));
    let evidence = this.evidence.get(place);
    if (!evidence) {
      evidence = new Map(this.computed(place).evidence.map((one) => [evidenceKey(one.finding), one]));
      this.evidence.set(place, evidence);
    }
    return evidence;
  }

  private computed(mixture: Mixture): AssetThreats {
    const place = this.reduced(mixture);
    let threats = this.threats.get(place);
    if (!threats) {
      const context = assetContext(this.subjects[sideOf(place, 'asset')].asset, {
        controls: this.controlsOf(place),
        catalogue: this.catalogueOf(place),
        targeting: this.targeting,
        at: this.moments[sideOf(place, 'age')].at,
      });
      const { at } = this.moments[sideOf(place, 'findings')];
      threats = threatsIn(this.findingsOf(place), this.mappingsOf(place, 'findings'), context, at);
      this.threats.set(place, threats);
    }
    return threats;
  }

  /** The valid mappings of the findings on the side of this party. */
  private mappingsOf(mixture: Mixture, party: 'findings' | 'controls'): FindingMappings[] {
    const side = sideOf(mixture, party);
    const place = side * BITS.findings + sideOf(mixture, 'catalogue') * BITS.catalogue;
    let mappings = this.mappings.get(place);
    if (!mappings) {
      const catalogue = this.catalogueOf(mixture);
      mappings = this.subjects[side].findings.map((finding) => mappingsOf(finding, catalogue));
      this.mappings.set(place, mappings);
    }
    return mappings;
  }
}

/** Catalogues are compared nowhere: whether they changed shows in what they give. */
function changedParties(subjects: Sides<ThreatenedSubject>, moments: Sides<ThreatMoment>): Party[] {
  const [from, to] = subjects;
  const [begin, end] = moments;
  const isSameAsset = assetText(from.asset) === assetText(to.asset);
  const areSameControls = controlsText(from, begin.at) === controlsText(to, end.at);
  const isAging = subjects.some(({ findings }) =>
    findings.some(({ detections }) =>
      detections.some(
        ({ closedAt }) => closedAt !== null && weeksOf(closedAt, begin.at) !== weeksOf(closedAt, end.at),
      ),
    ),
  );
  return [
    ...(isSameAsset ? [] : (['asset'] as const)),
    'findings',
    ...(areSameControls ? [] : (['controls'] as const)),
    'catalogue',
    ...(isAging ? (['age'] as const) : []),
  ];
}

const assetText = (asset: ThreatenedAsset): string =>
  JSON.stringify([
    asset.criticality,
    asset.confidentialityRequirement,
    asset.integrityRequirement,
    asset.availabilityRequirement,
    asset.attackSurface,
    asset.ipAddresses,
    asset.isEdrManaged,
  ]);

const controlsText = ({ findings }: ThreatenedSubject, at: number): string =>
  findings
    .flatMap((finding) => {
      const verdict = controlVerdict(finding, at);
      if (!verdict) return [];
      return [JSON.stringify([finding.id, verdict, [...coveredTechniques(finding, verdict)].sort()])];
    })
    .sort()
    .join();

const weeksOf = (closedAt: number, at: number): number =>
  Math.max(0, Math.floor((at - closedAt) / AGE_STEP_MS));
