import { setTimeout } from 'node:timers/promises';
import type { PostureClient, Schemas } from '#client';
import { failure } from '../cli-error.ts';
import { STILL_MS_MAX } from '../is-folded-to.ts';
import { rejection } from '../rejection.ts';
import type { Terminal } from '../terminal.ts';
import { tableLines } from '../text-table.ts';

/** The projector folds what a request has appended. */
const INTERVAL_MS = 500;

/**
 * Removes until nothing is left.
 * @param stillMsMax how long the fold may be stopped
 * @throws CliError exit 1 if the service refuses or is unreachable, or if no projector processes the log
 */
export async function runRetention(
  client: PostureClient,
  json: boolean,
  terminal: Terminal,
  stillMsMax = STILL_MS_MAX,
): Promise<void> {
  const { stdout, stderr, interrupted } = terminal;
  try {
    const before = removedIn(await status(client));
    let [least, deadline] = [Number.POSITIVE_INFINITY, 0];
    for (;;) {
      const { isComplete, pendingRecords } = await client.post('/api/v3/history-retention/runs', {});
      if (isComplete) break;
      const now = performance.now();
      if (pendingRecords < least) {
        // Another part was appended: what is pending next may be more.
        least = pendingRecords || Number.POSITIVE_INFINITY;
        deadline = now + stillMsMax;
      } else if (now > deadline) {
        throw failure(
          `no projector processes the log (${pendingRecords} records pending): start the service, then run the command again`,
        );
      }
      if (!json) stderr.write(`removed ${removedIn(await status(client)) - before} changes\n`);
      await setTimeout(INTERVAL_MS, undefined, interrupted && { signal: interrupted });
    }
    const { types } = await status(client);
    const removed = removedIn({ types }) - before;
    stdout.write(json ? `${JSON.stringify({ ok: true, removed, types })}\n` : textOf(removed, types));
  } catch (error) {
    throw rejection(error);
  }
}

type Status = Schemas['HistoryRetentionDto'];

const status = (client: PostureClient): Promise<Status> => client.get('/api/v3/history-retention', {});

const removedIn = ({ types }: Status): number => types.reduce((sum, { removed }) => sum + removed, 0);

const textOf = (removed: number, types: Status['types']): string =>
  [
    ...tableLines([
      ['Type', 'Days', 'Kept from', 'Removed in all'],
      ...types.map(({ type, days, keptFrom, removed }) => [
        type,
        days === null ? 'for ever' : String(days),
        keptFrom ?? 'the beginning',
        String(removed),
      ]),
    ]),
    `${removed} changes removed`,
  ]
    .map((line) => `${line}\n`)
    .join('');
