import type { Fail } from '#libs/readers';
import type { AttackDomain } from './attack-techniques.ts';
import { isObject, isTechniqueId } from './checks.ts';

/** A technique as a STIX bundle of MITRE ATT&CK describes it. */
export interface AttackRow {
  /** `T1059` or `T1059.001`. */
  id: string;
  name: string;
  /** The matrix of the technique; left out if the bundle does not state it. */
  domain?: AttackDomain;
  /** Sorted. */
  tactics: string[];
  /** Replaced by another one, or withdrawn. */
  revoked: boolean;
  /** No longer maintained. */
  deprecated: boolean;
  /** The technique that replaces it; null if there is none. */
  revokedBy: string | null;
  /** Ids of all mitigations of it, `M1038`, sorted. */
  mitigations: string[];
}

/** The names that ATT&CK's matrices have as sources of ids, and as kill chains. */
const DOMAINS: ReadonlyMap<unknown, AttackDomain> = new Map([
  ['mitre-attack', 'enterprise'],
  ['mitre-mobile-attack', 'mobile'],
  ['mitre-ics-attack', 'ics'],
]);
/** The values of `x_mitre_domains`. */
const DOMAIN_NAMES: ReadonlyMap<unknown, AttackDomain> = new Map([
  ['enterprise-attack', 'enterprise'],
  ['mobile-attack', 'mobile'],
  ['ics-attack', 'ics'],
]);
const MITIGATION_ID = /^M\d{4}$/;
const TACTIC = /^[a-z][a-z-]{0,63}$/;
const NAME_LENGTH_MAX = 500;
/** A release has about 4,000 objects that are kept. */
const KEPT_MAX = 100_000;

type StixObject = Record<string, unknown>;

/** The parts of a STIX bundle that are about techniques, in any order of its objects. */
export class AttackBundle {
  private readonly byRef = new Map<string, Omit<AttackRow, 'revokedBy' | 'mitigations'>>();
  private readonly mitigationByRef = new Map<string, string>();
  private readonly successorByRef = new Map<string, string>();
  private readonly mitigated: { mitigation: string; technique: string }[] = [];

  constructor(private readonly fail: Fail) {}

  get isEmpty(): boolean {
    return this.byRef.size === 0;
  }

  /** @param place of the object in the file @throws the error of `fail` if it is malformed */
  add(object: unknown, place: string): void {
    if (!isObject(object)) throw this.fail(place, 'must be an object');
    if (object.type === 'attack-pattern') this.addTechnique(object, place);
    else if (object.type === 'course-of-action') this.addMitigation(object, place);
    else if (object.type === 'relationship') this.addRelationship(object, place);
    const { byRef, mitigationByRef, successorByRef, mitigated } = this;
    if (byRef.size + mitigationByRef.size + successorByRef.size + mitigated.length > KEPT_MAX) {
      throw this.fail(place, `more than ${KEPT_MAX} techniques, mitigations and relationships`);
    }
  }

  /** Sorted by id. An id that is used again after it was revoked is valid. */
  techniques(): AttackRow[] {
    const byId = new Map<string, AttackRow>();
    for (const [ref, technique] of this.byRef) {
      const known = byId.get(technique.id);
      if (known === undefined || known.revoked) byId.set(technique.id, this.rowOf(ref, technique));
    }
    for (const { mitigation, technique } of this.mitigated) {
      const id = this.mitigationByRef.get(mitigation);
      const mitigated = this.byRef.get(technique);
      if (id && mitigated) byId.get(mitigated.id)!.mitigations.push(id);
    }
    return [...byId.values()]
      .map((row) => ({ ...row, mitigations: [...new Set(row.mitigations)].sort() }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  private rowOf(ref: string, technique: Omit<AttackRow, 'revokedBy' | 'mitigations'>): AttackRow {
    const successor = technique.revoked ? this.successorByRef.get(ref) : undefined;
    const revokedBy = (successor && this.byRef.get(successor)?.id) ?? null;
    return { ...technique, revokedBy: revokedBy === technique.id ? null : revokedBy, mitigations: [] };
  }

  private addTechnique(object: StixObject, place: string): void {
    const { name, kill_chain_phases: phases = [] } = object;
    const id = externalId(object);
    if (!isTechniqueId(id)) throw this.fail(place, 'must have the id of an ATT&CK technique');
    if (typeof name !== 'string' || name === '' || name.length > NAME_LENGTH_MAX) {
      throw this.fail(place, `\`name\` of ${id} must be a text of 1 to ${NAME_LENGTH_MAX} characters`);
    }
    const tactics = listOf(phases).flatMap(({ kill_chain_name, phase_name }) =>
      DOMAINS.has(kill_chain_name) ? [phase_name] : [],
    );
    if (!tactics.every((tactic) => typeof tactic === 'string' && TACTIC.test(tactic))) {
      throw this.fail(place, `\`kill_chain_phases\` of ${id} must name tactics`);
    }
    const domain = domainOf(object);
    this.byRef.set(this.refOf(object.id, place), {
      id,
      name,
      ...(domain && { domain }),
      tactics: [...new Set(tactics as string[])].sort(),
      revoked: object.revoked === true,
      deprecated: object.x_mitre_deprecated === true,
    });
  }

  /** Early releases have one of each technique, with its id: they are deprecated. */
  private addMitigation(object: StixObject, place: string): void {
    const id = externalId(object);
    if (isWithdrawn(object) || typeof id !== 'string' || !MITIGATION_ID.test(id)) return;
    this.mitigationByRef.set(this.refOf(object.id, place), id);
  }

  private addRelationship(object: StixObject, place: string): void {
    const { relationship_type: type } = object;
    if (isWithdrawn(object) || (type !== 'mitigates' && type !== 'revoked-by')) return;
    const source = this.refOf(object.source_ref, place);
    const target = this.refOf(object.target_ref, place);
    if (type === 'mitigates') this.mitigated.push({ mitigation: source, technique: target });
    else this.successorByRef.set(source, target);
  }

  private refOf(value: unknown, place: string): string {
    if (typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH_MAX) return value;
    throw this.fail(place, 'must have the ids of STIX objects');
  }
}

const isWithdrawn = ({ revoked, x_mitre_deprecated }: StixObject): boolean =>
  revoked === true || x_mitre_deprecated === true;

const listOf = (value: unknown): StixObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Revoked techniques have no kill chain; bundles before 2021 have no `x_mitre_domains`. */
function domainOf({ x_mitre_domains: domains, kill_chain_phases: phases }: StixObject) {
  const named: unknown[] = Array.isArray(domains) ? domains : [];
  const domain = named.map((name) => DOMAIN_NAMES.get(name)).find((one) => one !== undefined);
  return (
    domain ??
    listOf(phases)
      .map(({ kill_chain_name }) => DOMAINS.get(kill_chain_name))
      .find((one) => one !== undefined)
  );
}

const externalId = ({ external_references }: StixObject): unknown =>
  listOf(external_references).find(({ source_name }) => DOMAINS.has(source_name))?.external_id;
