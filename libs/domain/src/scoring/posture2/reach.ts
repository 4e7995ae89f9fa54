import ipaddr from 'ipaddr.js';
import { SEALED_PUBLIC_ADDRESS } from '../../signal/sealed-names.ts';
import type { ThreatenedAsset } from './facts.ts';
import type { VectorFacts } from './vector-facts.ts';

/** Where an asset can be reached from. */
export type ReachClass = 'exposed' | 'edge' | 'inside';

const SURFACE_CLASSES: ReadonlyMap<string, ReachClass> = new Map([
  ...['external', 'internet', 'perimeter', 'dmz', 'web application'].map(
    (name) => [name, 'exposed'] as const,
  ),
  ...['network', 'cloud'].map((name) => [name, 'edge'] as const),
]);
const CLIENT_SURFACES = new Set(['endpoints', 'mobile', 'people']);
const UNREACHABLE_RANGES = new Set([
  'private',
  'uniqueLocal',
  'carrierGradeNat',
  'loopback',
  'linkLocal',
  'multicast',
  'broadcast',
  'unspecified',
]);

/** What reach depends on of an asset. */
export interface AssetReach {
  class: ReachClass;
  /** People use it to browse and to read mail. */
  isClient: boolean;
}

export function assetReach({ attackSurface, ipAddresses }: ThreatenedAsset): AssetReach {
  const surface = attackSurface.trim().toLowerCase();
  return {
    class: ipAddresses.some(isPublicAddress) ? 'exposed' : (SURFACE_CLASSES.get(surface) ?? 'inside'),
    isClient: CLIENT_SURFACES.has(surface),
  };
}

const REMEMBERED_MAX = 20_000;
const remembered = new Map<string, boolean>();

/** False for what is not an address. */
export function isPublicAddress(text: string): boolean {
  if (text.startsWith(SEALED_PUBLIC_ADDRESS)) return true;
  let isPublic = remembered.get(text);
  if (isPublic === undefined) {
    isPublic = ipaddr.isValid(text) && !UNREACHABLE_RANGES.has(ipaddr.process(text).range());
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(text, isPublic);
  }
  return isPublic;
}

export type ReachRow =
  | 'network'
  | 'interaction, client'
  | 'interaction, other'
  | 'adjacent'
  | 'local'
  | 'physical'
  | 'unknown';

/** In thousandths (docs/scoring.md). */
export const REACH: Readonly<Record<ReachRow, Readonly<Record<ReachClass, number>>>> = {
  network: { exposed: 1000, edge: 500, inside: 200 },
  'interaction, client': { exposed: 500, edge: 500, inside: 500 },
  'interaction, other': { exposed: 100, edge: 100, inside: 100 },
  adjacent: { exposed: 100, edge: 100, inside: 100 },
  local: { exposed: 100, edge: 100, inside: 100 },
  physical: { exposed: 20, edge: 20, inside: 20 },
  unknown: { exposed: 500, edge: 250, inside: 100 },
};

const VECTOR_ROWS = { N: 'network', A: 'adjacent', L: 'local', P: 'physical' } as const;

export function vectorReachRow(vector: VectorFacts | null, { isClient }: AssetReach): ReachRow {
  if (vector === null) return 'unknown';
  if (vector.needsInteraction && vector.attackVector !== 'P') {
    return isClient ? 'interaction, client' : 'interaction, other';
  }
  return VECTOR_ROWS[vector.attackVector];
}

const ENTRY_TACTICS = new Set(['initial-access', 'reconnaissance']);

/** Of a weakness that is mapped to techniques only. */
export const techniqueReachRow = (tactics: readonly string[]): ReachRow =>
  tactics.some((tactic) => ENTRY_TACTICS.has(tactic)) ? 'network' : 'local';
