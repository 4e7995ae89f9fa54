import type { Severity } from '../../events.ts';
import { type ParsedVector, parseCvssVector } from '../cvss-vector.ts';

/** Confidentiality, integrity and availability. */
type Triad<T> = readonly [confidentiality: T, integrity: T, availability: T];

/** What posture-2 reads from a CVSS vector of any version. */
export interface VectorFacts {
  attackVector: 'N' | 'A' | 'L' | 'P';
  needsInteraction: boolean;
  /** Of access complexity, privileges, interaction and attack requirements: how many are in the way. */
  obstacles: number;
  /** An attack can be run by a program without help (SSVC). */
  isAutomatable: boolean;
  exploitMaturity: 'none' | 'poc' | 'active';
  /** Impacts in thousandths: 560 for high. */
  impacts: Triad<number>;
  /** All three impacts are high. */
  isImpactTotal: boolean;
  /** Requirements of the vector itself: H, M or L; null if it does not state one. */
  requirements: Triad<string | null>;
}

const IMPACTS: Record<string, number> = { S: 560, H: 560, C: 560, P: 233, L: 220, N: 0 };
const REMEMBERED_MAX = 20_000;
/** The longest vectors of any version, with every metric, have some 250 characters. */
const VECTOR_LENGTH_MAX = 500;
const remembered = new Map<string, VectorFacts | null>();

/** Null without a vector, and if it is malformed. */
export function vectorFactsOf({ vector, version }: Pick<Severity, 'vector' | 'version'>): VectorFacts | null {
  if (vector === null || vector.length > VECTOR_LENGTH_MAX) return null;
  // Senders choose both texts.
  const key = JSON.stringify([vector, version]);
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const parsed = parseCvssVector(vector, version);
  const facts = parsed && readFacts(parsed);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(key, facts);
  return facts;
}

function readFacts({ version, metrics }: ParsedVector): VectorFacts {
  const given = (name: string) => {
    const value = metrics.get(name);
    return value === undefined || value === 'X' || value === 'ND' ? null : value;
  };
  /** A modified metric replaces its base metric. */
  const metric = (name: string) => given(`M${name}`) ?? given(name);
  const attackVector = metric('AV') as VectorFacts['attackVector'];
  const needsInteraction = (metric('UI') ?? 'N') !== 'N';
  const barriers = [
    metric('AC') !== 'L',
    (version === '2.0' ? metric('Au') : metric('PR')) !== 'N',
    needsInteraction,
    (metric('AT') ?? 'N') !== 'N',
  ];
  const obstacles = barriers.filter(Boolean).length;
  const prefixes = version === '4.0' ? ['V', 'S'] : [''];
  const impactsOf = (prefix: string) =>
    ['C', 'I', 'A'].map((name) => IMPACTS[metric(`${prefix}${name}`) ?? 'N'] ?? 0);
  const [own, subsequent] = prefixes.map(impactsOf) as [number[], number[]?];
  const automatable = version === '4.0' ? given('AU') : null;
  return {
    attackVector,
    needsInteraction,
    obstacles,
    isAutomatable: automatable === null ? attackVector === 'N' && obstacles === 0 : automatable === 'Y',
    exploitMaturity: maturityOf(version, given('E')),
    impacts: own.map((impact, i) => Math.max(impact, subsequent?.[i] ?? 0)) as unknown as Triad<number>,
    isImpactTotal: own.every((impact) => impact === IMPACTS.H),
    requirements: [given('CR'), given('IR'), given('AR')],
  };
}

function maturityOf(version: ParsedVector['version'], value: string | null): VectorFacts['exploitMaturity'] {
  if (version === '4.0' && value === 'A') return 'active';
  return ['POC', 'P', 'F', 'H'].includes(value ?? '') ? 'poc' : 'none';
}
