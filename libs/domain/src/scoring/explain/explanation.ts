import { HUNDREDTHS } from '../risk-score.ts';
import type { Cause } from './moment.ts';
import { signedParts } from './signed-parts.ts';

/** A cause and its points of the difference; negative if it lowered. */
export interface CauseShare extends Cause {
  share: number;
}

export interface Explanation {
  /** Scores on both sides; null if nothing is scored, which counts as 0 in the difference. */
  from: number | null;
  to: number | null;
  difference: number;
  /** The greatest share by size first, then by kind, id and asset. */
  causes: CauseShare[];
  /** Causes beyond the limit, summed up. Shares of `causes`, `together` and this one add up to the difference. */
  others: { causes: number; share: number };
  /** Of the causes that were asked for together; they are neither in `causes` nor in `others`. */
  together: number;
}

export const CAUSES_MAX = 100;

/** Causes that are not distinguished, and their part in hundredths before rounding. */
export interface RestPart {
  causes: number;
  part: number;
}

/** A cause, and its part in hundredths before rounding. */
export interface CausePart {
  cause: Cause;
  part: number;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Rounds parts so that they add up exactly to the difference of both scores, in hundredths.
 * @param parts in the order that decides between equal remainders
 * @param rest causes that are not distinguished
 * @param together ids of causes that are rounded as one: many small shares rounded each would add up to another one
 */
export function explanationOf(
  [from, to]: readonly [number | null, number | null],
  parts: readonly CausePart[],
  limit: number,
  {
    rest = { causes: 0, part: 0 },
    together = NONE,
  }: { rest?: RestPart; together?: ReadonlySet<string> } = {},
): Explanation {
  const difference = (to ?? 0) - (from ?? 0);
  const isTogether = ({ cause }: CausePart) => together.has(cause.id);
  const single = parts.filter((one) => !isTogether(one));
  const joint = parts.filter(isTogether);
  const merged = [
    ...(joint.length > 0 ? [joint.reduce((sum, { part }) => sum + part, 0)] : []),
    ...(rest.causes > 0 ? [rest.part] : []),
  ];
  const shares = signedParts(difference, [...single.map(({ part }) => part), ...merged]);
  const causes = single.map(({ cause }, i) => ({ ...cause, share: shares[i]! }));
  const others = { causes: rest.causes, share: rest.causes > 0 ? shares.at(-1)! : 0 };
  const ofJoint = joint.length > 0 ? shares[single.length]! : 0;
  return listed([from, to], { causes, others, together: ofJoint }, limit);
}

/** @param shares in hundredths */
export function listed(
  [from, to]: readonly [number | null, number | null],
  { causes, others, together }: Pick<Explanation, 'causes' | 'others' | 'together'>,
  limit: number,
): Explanation {
  const sorted = causes
    .filter(({ share }) => share !== 0)
    .sort((a, b) => Math.abs(b.share) - Math.abs(a.share) || compare(keyOf(a), keyOf(b)));
  const beyond = sorted.slice(limit);
  const points = (hundredths: number | null) => (hundredths === null ? null : hundredths / HUNDREDTHS);
  return {
    from: points(from),
    to: points(to),
    difference: ((to ?? 0) - (from ?? 0)) / HUNDREDTHS,
    causes: sorted.slice(0, limit).map((one) => ({ ...one, share: one.share / HUNDREDTHS })),
    others: {
      causes: others.causes + beyond.length,
      share: beyond.reduce((sum, { share }) => sum + share, others.share) / HUNDREDTHS,
    },
    together: together / HUNDREDTHS,
  };
}

export const keyOf = ({ kind, id, assetId }: Cause): string => `${kind} ${id} ${assetId ?? ''}`;
export const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
