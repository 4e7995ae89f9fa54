import type { ApiClient } from '../api-client.ts';
import { failure } from '../cli-error.ts';
import type { FindingAnswer, HistoryAnswer } from './finding-answers.ts';
import { printTexts } from './print-texts.ts';
import { readFinding, readHistory } from './read-finding.ts';
import { headLines, itemLines, type StateOrigin, stateOrigin } from './story.ts';

/** Longer lines are hard to read. */
const WIDTH_MAX = 100;
const WIDTH_MIN = 60;

/**
 * Prints a finding's life. The history is read twice, page by page: since when the state holds is told first, and a
 * long history never lies in memory whole.
 * @param asOf epoch ms; undefined: the present
 * @throws CliError exit 2 where there is no such finding, exit 1 where the service is out of reach
 */
export async function explain(
  client: ApiClient,
  id: string,
  asOf: number | undefined,
  json: boolean,
  stdout: NodeJS.WritableStream & { columns?: number },
): Promise<void> {
  const finding = await readFinding(client, id, asOf);
  const last = await lastMoveOfState(readHistory(client, id, asOf));
  if (!last) throw failure(`finding ${id} has no history yet: try again`);
  const origin = stateOrigin(finding, last.item, last.number);
  const history = readHistory(client, id, asOf);
  const width = Math.max(WIDTH_MIN, Math.min(stdout.columns ?? WIDTH_MAX, WIDTH_MAX));
  await printTexts(json ? jsonOf(finding, origin, history) : textOf(finding, origin, history, width), stdout);
}

async function* textOf(
  finding: FindingAnswer,
  origin: StateOrigin,
  history: AsyncIterable<HistoryAnswer>,
  width: number,
): AsyncGenerator<string> {
  yield `${headLines(finding, origin, width).join('\n')}\n`;
  let number = 0;
  for await (const item of history) {
    number += 1;
    yield `${itemLines(item, number, finding.type, width).join('\n')}\n`;
  }
}

/** One document, the history piece by piece. */
async function* jsonOf(
  finding: FindingAnswer,
  origin: StateOrigin,
  history: AsyncIterable<HistoryAnswer>,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ ok: true, finding, state: { state: finding.state, ...origin } }).slice(0, -1)},"history":[`;
  let separator = '';
  for await (const item of history) {
    yield `${separator}${JSON.stringify(item)}`;
    separator = ',';
  }
  yield ']}\n';
}

async function lastMoveOfState(
  history: AsyncIterable<HistoryAnswer>,
): Promise<{ item: HistoryAnswer; number: number } | undefined> {
  let last: { item: HistoryAnswer; number: number } | undefined;
  let number = 0;
  for await (const item of history) {
    number += 1;
    if (item.from !== item.to) last = { item, number };
  }
  return last;
}
