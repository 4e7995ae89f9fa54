import type { Observation } from '../events.ts';

/** In place of a digest: the finding is Retired, so that any signal changes it. */
export const RETIRED_DIGEST = '00000000-0000-0000-0000-000000000000';

/**
 * Digest of what the signal of an event says about a finding: equal ones say the same, under the same rules. Null: unknown,
 * or the caller does not store it.
 */
export type DigestOf = (observation: Observation) => string | null;

export const noDigest: DigestOf = () => null;
