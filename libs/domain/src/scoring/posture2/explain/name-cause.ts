import { findingKind, findingWords } from '../../explain/cause-words.ts';
import type { Cause } from '../../explain/moment.ts';
import type { AssessedFinding } from '../facts.ts';
import { CONTROL_FACTORS, isControl } from '../susceptibility.ts';
import type { Weakness } from '../weakness.ts';
import type { MixedAsset, MixedThreats } from './mixed-asset.ts';
import { BITS, type Mixture, type Party } from './parties.ts';
import {
  ageWords,
  controlWords,
  isOtherwiseKnown,
  threatenedAssetWords,
  threatWords,
} from './threat-words.ts';

/** A change of one party, from a mixture without it, by which a weakness or evidence changes. */
export interface Step {
  party: Exclude<Party, 'asset'>;
  from: Mixture;
  key: string;
}

/** Names the causes of the changes of an asset (docs/scoring.md "What moved a score of posture-2", Names). */
export class CauseNames {
  private readonly findings: readonly [Map<string, AssessedFinding>, Map<string, AssessedFinding>];

  constructor(private readonly asset: MixedAsset) {
    const byId = (findings: readonly AssessedFinding[]) => new Map(findings.map((one) => [one.id, one]));
    const [from, to] = asset.subjects;
    this.findings = [byId(from.findings), byId(to.findings)];
  }

  ofAsset(): Cause {
    const [from, to] = this.asset.subjects;
    const { id } = to.asset;
    const what = threatenedAssetWords(from.asset, to.asset);
    return { kind: 'asset', id, assetId: id, name: null, what };
  }

  ofStep(step: Step): Cause {
    switch (step.party) {
      case 'findings':
        return this.ofFinding(this.moverOf(step));
      case 'controls':
        return this.ofControl(this.deciderOf(step));
      case 'catalogue':
        return this.ofCatalogue(step);
      case 'age':
        return this.ofAge(step);
    }
  }

  private ofFinding(id: string): Cause {
    const { moments } = this.asset;
    const [before, after] = this.bothOf(id);
    const what = findingWords(before, after, moments[0].at, moments[1].at);
    return this.aboutFinding(findingKind(before, after), id, what);
  }

  private ofControl(id: string): Cause {
    return this.aboutFinding('control', id, controlWords(this.bothOf(id), this.asset.moments));
  }

  private ofAge({ key, from }: Step): Cause {
    const { finding } = this.asset.threatsOf(from).evidence.get(key)!;
    return this.aboutFinding('age', finding.id, ageWords(finding, this.asset.moments));
  }

  private ofCatalogue(step: Step): Cause {
    const { moments } = this.asset;
    const id = this.catalogueIdOf(step);
    return { kind: 'catalogue', id, assetId: null, name: null, what: threatWords(id, moments) };
  }

  /** Of the findings that change it in this direction, the one with the most on its greater side. */
  private moverOf({ from, key, party }: Step): string {
    const [before, after] = [from, from | BITS[party]].map((mixture) =>
      partsOf(this.asset.threatsOf(mixture), key),
    );
    const isRise = this.asset.productOf(from | BITS[party], key) > this.asset.productOf(from, key);
    const [less, more] = isRise ? [before!, after!] : [after!, before!];
    const moved = [...more].filter(([id, part]) => {
      const other = less.get(id) ?? NO_PART;
      return part.hazard > other.hazard || part.impact > other.impact;
    });
    return moved.sort(([a, x], [b, y]) => productOf(y) - productOf(x) || (a < b ? -1 : 1))[0]![0];
  }

  /** The finding that decides the factor that prevails: fails over passes over none. */
  private deciderOf({ from, key, party }: Step): string {
    const sides = [from, from | BITS[party]] as const;
    const carriers = sides.map((side) => this.asset.threatsOf(side).weaknesses.get(key)!.exposures[0]) as [
      Weakness,
      Weakness,
    ];
    const { finding, techniques } = carriers[0].hazard > carriers[1].hazard ? carriers[0] : carriers[1];
    const factors = sides.map((side) => this.asset.controlsOf(side).factorOf(finding.id, techniques));
    const prevailing = PRECEDENCE.find((factor) => factors.includes(factor))!;
    const side = sides[factors.indexOf(prevailing)]!;
    return this.asset.controlsOf(side).deciderOf(finding.id, techniques)!;
  }

  /** The first of what the catalogues may state otherwise of which they do. There is one: nothing else is asked of them. */
  private catalogueIdOf(step: Step): string {
    for (const ids of this.catalogueIdsOf(step)) {
      const id = ids.find((one) => isOtherwiseKnown(one, this.asset.moments));
      if (id !== undefined) return id;
    }
    throw new Error(`the catalogues changed ${step.key}, and no id of it`);
  }

  private *catalogueIdsOf({ from, key, party }: Step): Generator<string[]> {
    const parts = [from, from | BITS[party]].flatMap((mixture) => {
      const { weaknesses, evidence } = this.asset.threatsOf(mixture);
      return [...(weaknesses.get(key)?.exposures ?? []), ...(evidence.has(key) ? [evidence.get(key)!] : [])];
    });
    yield parts.flatMap((part) => ('cve' in part && part.cve !== null ? [part.cve] : []));
    const findings = parts.map(({ finding }) => finding);
    yield sorted(findings.flatMap(({ cves }) => cves));
    yield sorted(parts.flatMap(({ techniques }) => techniques));
    yield sorted(findings.flatMap(({ techniques }) => techniques));
    const controls = this.asset.controlFindingsOf(from).filter(isControl);
    yield sorted(controls.flatMap(({ techniques }) => techniques));
  }

  private aboutFinding(kind: Cause['kind'], id: string, what: string): Cause {
    const { name } = this.bothOf(id)[1] ?? this.bothOf(id)[0]!;
    return { kind, id, assetId: this.asset.subjects[1].asset.id, name, what };
  }

  private bothOf(id: string): readonly [AssessedFinding | undefined, AssessedFinding | undefined] {
    return [this.findings[0].get(id), this.findings[1].get(id)];
  }
}

const { failing, passing } = CONTROL_FACTORS;
const PRECEDENCE: readonly number[] = [failing, passing];

const sorted = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

interface Part {
  hazard: number;
  impact: number;
}

const NO_PART: Part = { hazard: 0, impact: 0 };
const productOf = ({ hazard, impact }: Part): number => hazard * impact;

/** What each finding has of a weakness or of evidence, by its id. */
function partsOf({ weaknesses, evidence }: MixedThreats, key: string): Map<string, Part> {
  const one = evidence.get(key);
  if (one) return new Map([[one.finding.id, { hazard: one.hazard.best, impact: 1 }]]);
  return new Map(weaknesses.get(key)?.exposures.map((exposure) => [exposure.finding.id, exposure]) ?? []);
}
