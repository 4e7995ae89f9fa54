import { isActive } from '../scoring-facts.ts';
import type { AssessedFinding, ThreatCatalogue } from './facts.ts';
import type { VectorFacts } from './vector-facts.ts';

/** In thousandths (docs/scoring.md). */
export const CONTROL_FACTORS = { failing: 1400, passing: 700, none: 1000 } as const;
export const EDR_FACTORS = { managed: 600, unmanaged: 1000 } as const;

/** The techniques that a vector suggests if nothing else names one. */
export function techniquesOfVector(vector: VectorFacts | null): readonly string[] {
  if (vector?.needsInteraction) return CLIENT_EXECUTION;
  const isLocal = vector?.attackVector === 'L' || vector?.attackVector === 'P';
  return isLocal ? PRIVILEGE_ESCALATION : PUBLIC_APPLICATION;
}

const CLIENT_EXECUTION = ['T1203'];
const PRIVILEGE_ESCALATION = ['T1068'];
const PUBLIC_APPLICATION = ['T1190'];

export type ControlVerdict = 'failing' | 'passing';

export const isControl = ({ type }: Pick<AssessedFinding, 'type'>): boolean =>
  type === 'ca' || type === 'uba';

/** Whether a finding is a control that fails or passes at an instant; null otherwise. */
export function controlVerdict(finding: AssessedFinding, at: number): ControlVerdict | null {
  if (!isControl(finding)) return null;
  if (finding.state === 'Failed' && isActive(finding, at)) return 'failing';
  return finding.lastVerdict === 'passed' ? 'passing' : null;
}

/** What a control covers: a failing one what fails, a passing one all. */
export const coveredTechniques = (
  { techniques, failures }: CoveredBy & { failures: readonly CoveredBy[] },
  verdict: ControlVerdict,
): readonly string[] =>
  verdict === 'failing' ? failures.flatMap((failure) => failure.techniques) : techniques;

type CoveredBy = Pick<AssessedFinding, 'techniques'>;

/** The smallest two ids of the findings that cover something. */
type Coverers = readonly [first: string, second?: string];

const TECHNIQUE_LENGTH = 'T1059'.length;

/** The controls of an asset, by what they cover: techniques (a sub-technique as its technique) and mitigations. */
export class Controls {
  private readonly failing = new Map<string, Coverers>();
  private readonly passing = new Map<string, Coverers>();
  private readonly keysOfTechnique = new Map<string, readonly string[]>();

  constructor(private readonly mitigationsOf: ThreatCatalogue['mitigationsOf']) {}

  /** @param techniques the valid ones of the finding */
  add(findingId: string, techniques: readonly string[], verdict: ControlVerdict): void {
    const byKey = this[verdict];
    for (const key of techniques.flatMap((id) => this.keysOf(id))) {
      byKey.set(key, withCoverer(byKey.get(key), findingId));
    }
  }

  /** In thousandths, of a weakness of this finding with these techniques. */
  factorOf(findingId: string, techniques: readonly string[]): number {
    if (this.failing.size + this.passing.size === 0) return CONTROL_FACTORS.none;
    let factor: number = CONTROL_FACTORS.none;
    for (const technique of techniques) {
      for (const key of this.keysOf(technique)) {
        if (otherCoverer(this.failing.get(key), findingId)) return CONTROL_FACTORS.failing;
        if (otherCoverer(this.passing.get(key), findingId)) factor = CONTROL_FACTORS.passing;
      }
    }
    return factor;
  }

  /** Id of the finding that decides this factor, the smallest of several; null if none concerns the weakness. */
  deciderOf(findingId: string, techniques: readonly string[]): string | null {
    const keys = techniques.flatMap((technique) => this.keysOf(technique));
    const least = (byKey: ReadonlyMap<string, Coverers>) =>
      keys.flatMap((key) => otherCoverer(byKey.get(key), findingId) ?? []).sort()[0];
    return least(this.failing) ?? least(this.passing) ?? null;
  }

  private keysOf(technique: string): readonly string[] {
    let keys = this.keysOfTechnique.get(technique);
    if (!keys) {
      keys = [technique.slice(0, TECHNIQUE_LENGTH), ...(this.mitigationsOf?.(technique) ?? [])];
      this.keysOfTechnique.set(technique, keys);
    }
    return keys;
  }
}

function withCoverer(known: Coverers | undefined, id: string): Coverers {
  if (!known) return [id];
  const [first, second] = known;
  if (id === first || id === second || (second !== undefined && id > second)) return known;
  return id < first ? [id, first] : [first, id];
}

/** A finding is not a control of itself. */
const otherCoverer = (coverers: Coverers | undefined, findingId: string): string | undefined =>
  coverers?.[0] === findingId ? coverers[1] : coverers?.[0];
