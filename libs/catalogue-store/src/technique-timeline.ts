import {
  type AttackDomain,
  type AttackRow,
  type AttackTechnique,
  attackTechnique,
  attackTechniques,
} from '#libs/catalogue';

/** What a row of the catalogue `attack` states about a technique. */
export type TechniqueValue = Omit<AttackRow, 'id'>;

/** A technique of the catalogues: imported, or shipped with the service. */
export type KnownTechnique = Pick<AttackTechnique, 'name' | 'tactics' | 'revoked' | 'deprecated'>;

/** In force from `validFrom` until before `validTo`, in epoch milliseconds. */
export interface TechniqueRow {
  id: string;
  value: TechniqueValue;
  validFrom: number;
  validTo: number;
}

/** A mitigation of more techniques says too little about any of them (docs/scoring.md). */
const MITIGATED_TECHNIQUES_MAX = 20;
/** Releases replace a technique once or twice. */
const SUCCESSIONS_MAX = 10;
const NONE: readonly string[] = [];

/** The techniques of ATT&CK at an instant. Functions of the same instance always return the same. */
export class Techniques {
  private readonly mitigationsById = new Map<string, readonly string[]>();

  /** @param imported by id; the shipped techniques are behind them */
  constructor(private readonly imported: ReadonlyMap<string, TechniqueValue>) {
    const counts = new Map<string, number>();
    for (const { revoked, deprecated, mitigations } of imported.values()) {
      if (revoked || deprecated) continue;
      for (const id of mitigations) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (const [id, { mitigations }] of imported) {
      const narrow = mitigations.filter((one) => (counts.get(one) ?? 0) <= MITIGATED_TECHNIQUES_MAX);
      if (narrow.length > 0) this.mitigationsById.set(id, narrow);
    }
  }

  readonly techniqueOf = (id: string): KnownTechnique | undefined =>
    this.imported.get(id) ?? attackTechnique(id);

  readonly mitigationsOf = (id: string): readonly string[] => this.mitigationsById.get(id) ?? NONE;

  /** All techniques, imported and shipped, each once, with the matrix that they belong to. */
  all(): AttackTechnique[] {
    const imported = [...this.imported].map(([id, { name, tactics, revoked, deprecated, domain }]) => ({
      ...{ id, name, tactics, revoked, deprecated },
      domain: domain ?? shippedDomain(id),
    }));
    return [...imported, ...attackTechniques().filter(({ id }) => !this.imported.has(id))];
  }

  /** Whether an import replaces or completes the shipped techniques. */
  get areImported(): boolean {
    return this.imported.size > 0;
  }

  /** The technique that replaces a revoked one, in any number of steps; the same id if none does. */
  successorOf(id: string): string {
    let last = id;
    for (let i = 0; i < SUCCESSIONS_MAX; i += 1) {
      const next = this.imported.get(last)?.revokedBy;
      if (!next) break;
      last = next;
    }
    return last;
  }
}

/** The matrix of a technique that was imported before imports stated it: the shipped one, or that of its technique. */
const shippedDomain = (id: string): AttackDomain =>
  (attackTechnique(id) ?? attackTechnique(id.slice(0, TECHNIQUE_LENGTH)))?.domain ?? 'enterprise';

const TECHNIQUE_LENGTH = 'T1059'.length;

/** The techniques of ATT&CK over time: the imported ones before the shipped ones. */
export class TechniqueTimeline {
  static readonly shipped = new TechniqueTimeline([]);
  /** When some technique changed, epoch milliseconds, ascending. */
  readonly instants: readonly number[];
  private readonly since = new Map<number, Techniques>();

  constructor(private readonly rows: readonly TechniqueRow[]) {
    const instants = new Set(rows.flatMap(({ validFrom, validTo }) => [validFrom, validTo]));
    this.instants = [...instants].filter(Number.isFinite).sort((a, b) => a - b);
  }

  /** The techniques at an instant; the same object until something changes. */
  at(instant: number): Techniques {
    const from = this.instants.findLast((one) => one <= instant) ?? Number.NEGATIVE_INFINITY;
    let known = this.since.get(from);
    if (!known) {
      const inForce = this.rows.filter(({ validFrom, validTo }) => validFrom <= from && from < validTo);
      known = new Techniques(new Map(inForce.map(({ id, value }) => [id, value])));
      this.since.set(from, known);
    }
    return known;
  }
}
