import { client, type Failure } from '../../api/client.ts';
import { sentenceOf } from '../../parts/states.tsx';
import type { Finding } from '../finding-columns.tsx';
import type { BulkAct, BulkFilter, BulkOutcome } from './bulk-act.ts';

const AT_ONCE = 4;
const REFUSED_TOLD_MAX = 500;

export interface Refused {
  id: string;
  name: string;
  why: string;
}

/** What became of an act on many findings. */
export interface Outcome {
  done: number;
  /** In the log, and not folded yet. */
  pending: number;
  refused: readonly Refused[];
  /** More were refused than are told. */
  refusedMore: number;
}

/** Acts on each finding at the version that was seen, a few at a time; what one is refused stops no other. */
export async function performOnEach<Words>(
  act: BulkAct<Words>,
  findings: readonly Finding[],
  words: Words,
  onProgress: (settled: number) => void,
): Promise<Outcome> {
  const waiting = [...findings];
  const refused: Refused[] = [];
  let done = 0;
  let pending = 0;
  async function work() {
    for (let finding = waiting.shift(); finding; finding = waiting.shift()) {
      const { error, status } = await answerOf(act.one(finding, words));
      if (error) refused.push({ id: finding.id, name: nameOf(finding), why: sentenceOf(error) });
      else if (status === 202) pending += 1;
      else done += 1;
      onProgress(done + pending + refused.length);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, pending, refused, refusedMore: 0 };
}

/**
 * Acts on all that a dry run has counted.
 * @throws Failure where the service does nothing: other findings match by now, or the words are not as they should be
 */
export async function performOnMatching<Words>(
  act: BulkAct<Words>,
  filter: BulkFilter,
  words: Words,
  expected: number,
): Promise<Outcome> {
  const { data, error } = await act.many(filter, words, { dryRun: false, expected });
  if (!data) throw error;
  const refused = data.refused === 0 ? [] : await refusedOf(data);
  return {
    done: data.done,
    pending: data.pending,
    refused,
    refusedMore: data.refused - refused.length,
  };
}

async function answerOf(asked: Promise<{ error?: Failure; response: Response }>) {
  try {
    const { error, response } = await asked;
    return { error, status: response.status };
  } catch (error) {
    return { error: error as Error, status: 0 };
  }
}

/** The audit trail alone tells which acts of a request were refused, and why. */
async function refusedOf({ requestId, findings }: BulkOutcome): Promise<Refused[]> {
  const query = { requestId, limit: REFUSED_TOLD_MAX };
  const { data } = await client.GET('/api/v3/audit', { params: { query } });
  const names = new Map(findings.map((finding) => [finding.id, nameOf(finding)]));
  return (data?.items ?? [])
    .filter(({ refused }) => refused !== null)
    .map(({ target: id }) => ({
      id,
      name: names.get(id) ?? id,
      why: 'it has changed since the findings were counted',
    }));
}

const nameOf = ({ name, assetName }: Pick<Finding, 'name' | 'assetName'>) => `${name} on ${assetName}`;
