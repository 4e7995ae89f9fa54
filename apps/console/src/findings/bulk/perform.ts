import { t } from '@lingui/core/macro';
import { client, type Failure } from '../../api/client.ts';
import { sentenceOf } from '../../parts/states.tsx';
import type { Finding } from '../finding-columns.tsx';
import type { BulkAct, BulkOutcome } from './bulk-act.tsx';
import type { BulkFilter } from './bulk-filter.ts';

const AT_ONCE = 4;
const REFUSED_SHOWN_MAX = 500;

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
  filter: BulkFilter,
  input: Input,
  expected: number,
): Promise<Outcome> {
  const { data, error } = await act.many(filter, input, { dryRun: false, expected });
  if (!data) throw error;
  // Without the reasons, the outcome is still known.
  const refused = data.refused === 0 ? [] : await refusedOf(data).catch(() => []);
  return {
    done: data.done,
    pending: data.pending,
    refused,
    refusedMore: data.refused - refused.length,
  };
}

const mayHaveTakenEffect = (error: Failure): boolean =>
  error instanceof Error || error.mayHaveTakenEffect === true;

async function answerOf(asked: Promise<{ error?: Failure; response: Response }>) {
  try {
    const { error, response } = await asked;
    return { error, status: response.status };
  } catch (error) {
    return { error: error as Error, status: 0 };
  }
}

/** Only the audit trail lists the rejected actions of a request. */
async function refusedOf({ requestId, findings }: BulkOutcome): Promise<Refused[]> {
  const query = { requestId, limit: REFUSED_SHOWN_MAX };
  const { data } = await client.GET('/api/v3/audit', { params: { query } });
  const names = new Map(findings.map((finding) => [finding.id, nameOf(finding)]));
  return (data?.items ?? [])
    .filter(({ refused }) => refused !== null)
    .map(({ target: id }) => ({
      id,
      name: names.get(id) ?? id,
      why: t`the finding has changed since the count`,
    }));
}

const nameOf = ({ name, assetName }: Pick<Finding, 'name' | 'assetName'>) => t`${name} on ${assetName}`;
