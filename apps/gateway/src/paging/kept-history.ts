import { GoneException } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';
import { isoTime } from '#libs/domain';
import { historyKeptFrom, historyTrimmedThrough } from '#libs/tables';

/** The description of a 410 that these functions cause. */
export const HISTORY_REMOVED = 'The answer requires history that was removed (`historyRetentionDays`)';

/**
 * To be called after the last statement of a read, as the history can be trimmed while it runs; before it, to end early.
 * @param past epoch ms
 * @param types whose findings are read; undefined: all
 * @throws GoneException if their states at the instant are not known any more
 */
export async function assertHistoryKept(
  db: Kysely<Schema>,
  past: number,
  types?: readonly string[],
): Promise<void> {
  await assertKept(db, past, types, 'asOf must be that time or later');
}

/**
 * @param from beginning of a period whose changes are read, in epoch ms
 * @param types whose findings are read; undefined: all
 * @throws GoneException if its changes are not known any more
 */
export async function assertPeriodKept(
  db: Kysely<Schema>,
  from: number,
  types?: readonly string[],
): Promise<void> {
  await assertKept(db, from, types, 'the period must begin at that time or later');
}

async function assertKept(
  db: Kysely<Schema>,
  past: number,
  types: readonly string[] | undefined,
  expected: string,
): Promise<void> {
  const from = await historyKeptFrom(db, types && { types });
  if (from === null || past >= from) return;
  throw new GoneException(
    `the history of ${types?.length === 1 ? `${types[0]} findings` : 'findings'} before ${isoTime(from)} was removed under the retention of the history (historyRetentionDays): ${expected}`,
  );
}

/**
 * @param after partition → the last sequence that a subscriber has; undefined: it does not follow findings
 * @throws GoneException if changes after it are not known any more
 */
export async function assertChangesKept(
  db: Kysely<Schema>,
  name: string,
  after: readonly number[] | undefined,
): Promise<void> {
  if (!after) return;
  const through = await historyTrimmedThrough(db);
  if (after.every((sequence, partition) => sequence >= (through.get(partition) ?? 0))) return;
  throw new GoneException(
    `changes of findings after ${name} were removed under the retention of the history (historyRetentionDays): read the current state from GET /api/v3/findings, and continue from the present`,
  );
}
