import { t } from '@lingui/core/macro';
import type { Finding } from '../finding-columns.tsx';
import { type ActedOn, type ActsOutcome, acted, whyRefused } from '../triage/triage-act.ts';
import { type BulkAct, type Matching, statesFor } from './bulk-act.tsx';
import { withStates } from './bulk-filter.ts';

interface Refused {
  id: string;
  name: string;
  why: string;
}

/** The outcome of an action on many findings. */
export interface Outcome {
  done: number;
  /** In the log, but not folded yet. */
  pending: number;
  refused: readonly Refused[];
  /** Number of findings that needed no change. */
  unchanged: number;
  /** Number of rejected findings that are not in `refused`. */
  refusedMore: number;
}

/**
 * Changes each finding at its displayed version. A rejection does not stop the others.
 * @throws Failure if the service changes nothing, because a parameter is invalid, or if the answer is lost
 */
export async function performOnChosen<Input>(
  act: BulkAct<Input>,
  findings: readonly Finding[],
  input: Input,
): Promise<Outcome> {
  return outcomeOf(await acted({ ...idsAndVersions(findings), ...act.bodyOf(input), dryRun: false }));
}

/**
 * Changes all findings that a dry run has counted.
 * @throws Failure if the service changes nothing: other findings match now, or a parameter is invalid
 */
export async function performOnMatching<Input>(
  act: BulkAct<Input>,
  target: Matching,
  input: Input,
  expected: number,
): Promise<Outcome> {
  const outcome = await actOnMatching(act, target, input, { dryRun: false, expected });
  // The preview has counted these as skipped.
  const { notAccepted: _, ...refusedBy } = outcome.refusedBy;
  const refused = outcome.refused.filter(({ reason }) => reason !== 'notAccepted');
  return outcomeOf({ ...outcome, refused, refusedBy });
}

/** Counts what an action on all matching findings would change. @throws Failure */
export const previewOnMatching = <Input>(act: BulkAct<Input>, target: Matching): Promise<ActsOutcome> =>
  actOnMatching(act, target, act.dryRunInput, { dryRun: true });

const actOnMatching = <Input>(
  act: BulkAct<Input>,
  { filter, states }: Matching,
  input: Input,
  step: { dryRun: true } | { dryRun: false; expected: number },
): Promise<ActsOutcome> =>
  acted({ filter: withStates(filter, statesFor(act, states)), ...act.bodyOf(input), ...step });

/** At most 500, which is more than a page shows. */
export const idsAndVersions = (findings: readonly Finding[]): Pick<ActedOn, 'ids' | 'versions'> => ({
  ids: findings.map(({ id }) => id),
  versions: Object.fromEntries(findings.map(({ id, version }) => [id, version])),
});

export function outcomeOf({ done, pending, unchanged, refused, refusedBy }: ActsOutcome): Outcome {
  return {
    done,
    pending,
    unchanged,
    refused: refused.map((one) => ({ id: one.id, name: refusedName(one), why: whyRefused(one.reason) })),
    refusedMore: sumOf(refusedBy) - refused.length,
  };
}

export const sumOf = (refusedBy: ActsOutcome['refusedBy']): number =>
  Object.values(refusedBy).reduce((sum, count) => sum + count, 0);

/** A finding that does not exist has only its id. */
export const refusedName = ({ id, name, assetName }: ActsOutcome['refused'][number]): string =>
  name === null || assetName === null ? id : nameOf({ name, assetName });

const nameOf = ({ name, assetName }: Pick<Finding, 'name' | 'assetName'>) => t`${name} on ${assetName}`;
