import { t } from '@lingui/core/macro';
import { client, type Failure } from '../../api/client.ts';
import { sentenceOf } from '../../parts/states.tsx';
import { mayHaveTakenEffect } from '../act-failed.tsx';
import type { Finding } from '../finding-columns.tsx';
import { type ActsOutcome, whyRefused } from '../triage/triage-act.ts';
import { type BulkAct, type Matching, statesFor } from './bulk-act.tsx';
import { withStates } from './bulk-filter.ts';

const AT_ONCE = 4;

interface Named {
  id: string;
  name: string;
}

interface Refused extends Named {
  why: string;
}

/** The outcome of an action on many findings. */
export interface Outcome {
  done: number;
  /** In the log, but not folded yet. */
  pending: number;
  refused: readonly Refused[];
  /** The connection or the session ended before the answer; absent: each one has an answer. */
  unknown?: readonly Named[];
  /** Number of findings that needed no change; absent: unknown. */
  unchanged?: number;
  /** Number of rejected findings that are not in `refused`. */
  refusedMore: number;
}

/** Changes each finding at its displayed version, a few at a time. A rejection does not stop the others. */
export async function performOnEach<Input>(
  act: BulkAct<Input>,
  findings: readonly Finding[],
  input: Input,
  onProgress: (settled: number) => void,
): Promise<Outcome> {
  const waiting = [...findings];
  const refused: Refused[] = [];
  const unknown: Named[] = [];
  let done = 0;
  let pending = 0;
  async function work() {
    for (let finding = waiting.shift(); finding; finding = waiting.shift()) {
      const { error, status } = await answerOf(act.one(finding, input));
      const named = { id: finding.id, name: nameOf(finding) };
      if (error && mayHaveTakenEffect(error)) unknown.push(named);
      else if (error) refused.push({ ...named, why: sentenceOf(error) });
      else if (status === 202) pending += 1;
      else done += 1;
      onProgress(done + pending + refused.length + unknown.length);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, pending, refused, unknown, refusedMore: 0 };
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

async function actOnMatching<Input>(
  act: BulkAct<Input>,
  { filter, states }: Matching,
  input: Input,
  step: { dryRun: true } | { dryRun: false; expected: number },
): Promise<ActsOutcome> {
  const { data, error } = await client.POST('/api/v3/findings/acts', {
    body: { filter: withStates(filter, statesFor(act, states)), ...act.bodyOf(input), ...step },
  });
  if (!data) throw error;
  return data;
}

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

async function answerOf(asked: Promise<{ error?: Failure; response: Response }>) {
  try {
    const { error, response } = await asked;
    return { error, status: response.status };
  } catch (error) {
    return { error: error as Error, status: 0 };
  }
}

const nameOf = ({ name, assetName }: Pick<Finding, 'name' | 'assetName'>) => t`${name} on ${assetName}`;
