import { hash } from 'node:crypto';
import type { Observation, SignalReceived } from '../events.ts';
import { contentOf } from './content-of.ts';
import type { DigestOf } from './track-finding.ts';

/** Raise it if the fold decides otherwise about the same content: stored digests then match no signal. */
const FORM = 1;

/** In place of a digest: the finding is Retired, so that any signal changes it. */
export const RETIRED_DIGEST = '00000000-0000-0000-0000-000000000000';

/**
 * Identifies all data of a signal that the fold compares with a finding, under the rules of its event: a finding that a
 * signal has left as it is, or has set, stays as it is under any signal with the same digest, until something else
 * changes it. 128 bits of SHA-256 as a UUID, of sealed texts as they are stored. Not of the times, which every signal updates.
 */
export function signalDigest(rules: number, signal: SignalReceived, observation: Observation): string {
  const { mode, instances } = observation;
  const hex = hash(
    'sha256',
    JSON.stringify([FORM, rules, mode, instances, contentOf(signal, observation)]),
    'hex',
  );
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

export const noDigest: DigestOf = () => null;

/** Computes the digest of an observation once, for a caller that needs it several times. */
export function rememberedDigests(): DigestOf {
  const known = new Map<Observation, string>();
  return (rules, signal, observation) => {
    const digest = known.get(observation) ?? signalDigest(rules, signal, observation);
    known.set(observation, digest);
    return digest;
  };
}
