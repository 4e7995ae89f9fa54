import type { PostureClient, Schemas } from '#client';
import { failure } from '../cli-error.ts';
import { printTexts } from './print-texts.ts';
import { readFinding, readHistory } from './read-finding.ts';
import { headLines, itemLines, type StateOrigin, stateOrigin } from './story.ts';

/** Longer lines are hard to read. */
const WIDTH_MAX = 100;
const WIDTH_MIN = 60;

/**
 * Prints a finding's life. The history is read twice, page by page: the time since which the state is valid is printed first, and a
 * long history never is in memory whole.
 * @param asOf epoch ms; undefined: the present
 * @throws CliError exit 2 if there is no such finding, exit 1 if the service is unreachable
 */
export async function explain(
  client: PostureClient,
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
  finding: Schemas['FindingDto'],
  origin: StateOrigin,
  history: AsyncIterable<Schemas['HistoryItemDto']>,
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
  finding: Schemas['FindingDto'],
  origin: StateOrigin,
  history: AsyncIterable<Schemas['HistoryItemDto']>,
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
  history: AsyncIterable<Schemas['HistoryItemDto']>,
): Promise<{ item: Schemas['HistoryItemDto']; number: number } | undefined> {
  let last: { item: Schemas['HistoryItemDto']; number: number } | undefined;
  let number = 0;
  for await (const item of history) {
    number += 1;
    if (item.from !== item.to) last = { item, number };
  }
  return last;
}
