import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Schema } from '#libs/database';

const POLL_INTERVAL_MS = 50;
/** How long the fold may be stopped before the command assumes that no projector runs. */
export const STILL_MS_MAX = 60_000;

/** Waits until a partition is folded up to an offset; returns false if the fold makes no progress for a minute. */
export async function isFoldedTo(db: Kysely<Schema>, partition: number, end: number): Promise<boolean> {
  let last = -1;
  let deadline = 0;
  while (last < end) {
    const now = performance.now();
    const next = await nextOffset(db, partition);
    if (next > last) deadline = now + STILL_MS_MAX;
    else if (now > deadline) return false;
    last = next;
    if (last < end) await setTimeout(POLL_INTERVAL_MS);
  }
  return true;
}

async function nextOffset(db: Kysely<Schema>, partition: number): Promise<number> {
  const row = await db
    .selectFrom('projection_positions')
    .select('next_offset')
    .where('partition', '=', partition)
    .executeTakeFirst();
  return row?.next_offset ?? 0;
}
