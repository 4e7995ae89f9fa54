import { type RawSecurityContext, type Signal, uuidV5 } from '#libs/domain';
import type { Finding, FoundAsset } from '../format.ts';
import { Clipper } from './clip.ts';
import { sharedPart } from './context-of.ts';
import { entityOf } from './entity-of.ts';

/** Ids are derived from the signal's content, so that converting a report again gives the same files. */
const signalId = uuidV5('5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a20');

/** A finding as one signal, its instances gathered. */
export interface GatheredFinding {
  /** What all reports say of it. */
  asset: FoundAsset;
  /** The first one: common data is taken from it. */
  first: Finding;
  source: string;
  contexts: RawSecurityContext[];
  firstSeen: string | null;
  lastSeen: string | null;
  /** 1, or its place among the signals that a finding with too many instances was divided into. */
  part: number;
}

export interface BuiltSignal {
  signal: Signal;
  /** What of it was cut. */
  notes: Set<string>;
}

export function signalOf(gathered: GatheredFinding): BuiltSignal {
  const { asset, first, source, contexts, part, firstSeen, lastSeen } = gathered;
  const clip = new Clipper();
  const shared = sharedPart(first, clip);
  const all = contexts.map((context, i) => (i === 0 ? { ...context, ...shared } : context));
  const name = clip.unique('name', part === 1 ? first.name : `${first.name} [${part}]`);
  const description = first.description ?? null;
  const signal: Signal = {
    version: '1.0',
    id: signalId(JSON.stringify([asset.name, first.type, name, lastSeen])),
    name,
    ...(description !== null && { description: clip.text('description', description) }),
    source: { name: clip.text('standard', source) },
    entity: entityOf(asset, clip),
    ...(isWhole(all) ? { securityContext: all[0] } : { securityContexts: all }),
    ...(firstSeen !== null && { firstSeen }),
    ...(lastSeen !== null && { lastSeen }),
  };
  return { signal, notes: clip.notes };
}

/** One unnamed instance speaks for the whole finding (R-FIND-3); any other is one of the whole set (R-FIND-5). */
const isWhole = ([only, ...more]: RawSecurityContext[]): boolean =>
  more.length === 0 && only?.detectionId === undefined && only?.port === undefined;

/** A signal that only describes its asset, on which nothing was found (R-ZIP-10). */
export function assetSignalOf(asset: FoundAsset, source: string): BuiltSignal {
  const clip = new Clipper();
  const signal: Signal = {
    version: '1.0',
    id: signalId(JSON.stringify([asset.name])),
    entityOnly: true,
    name: 'Asset without findings',
    source: { name: clip.text('standard', source) },
    entity: entityOf(asset, clip),
  };
  return { signal, notes: clip.notes };
}
