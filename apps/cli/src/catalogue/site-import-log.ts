import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { ImportLog } from '#libs/catalogue-store';
import { readClocks } from '#libs/clock';
import { encodeIntake } from '#libs/contracts';
import type { Schema } from '#libs/database';
import { actEnvelope, ORGANIZATION_KEY } from '#libs/domain';
import { partitionOf } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { readOrganization } from '#libs/projection';
import { failure } from '../cli-error.ts';
import type { Site } from '../site.ts';

const POLL_INTERVAL_MS = 50;
/** How long the fold may stand still before nobody is taken to fold. */
const STILL_MS_MAX = 60_000;

/**
 * The log of a site as imports need it.
 * @throws CliError exit 1, from both calls, where nothing is folded for a minute
 */
export function siteImportLog({ database: { db }, log }: Site): ImportLog {
  const partition = partitionOf(ORGANIZATION_KEY, log.partitions);
  return {
    async settled() {
      const ends = await log.ends(INTAKE_TOPIC);
      if (await isFoldedTo(db, partition, ends[partition]!)) return;
      throw failure(
        'an earlier import is in the log, and nothing folds it: start the service, then try again',
      );
    },
    async announce(payload) {
      const envelope = actEnvelope({
        id: randomUUID(),
        entityKey: ORGANIZATION_KEY,
        ...(await readClocks(db)),
        settingsVersion: (await readOrganization(db)).settings.version,
        by: null,
      });
      const record = { key: ORGANIZATION_KEY, value: encodeIntake({ envelope, payload }) };
      const [position] = await log.append(INTAKE_TOPIC, [record]);
      if (await isFoldedTo(db, position!.partition, position!.offset + 1)) return;
      throw failure(
        'the import is in the log, and nothing folds it: it comes into force once the service runs',
      );
    },
  };
}

/** Waits for the fold; answers false where it stands still for a minute before it is there. */
async function isFoldedTo(db: Kysely<Schema>, partition: number, end: number): Promise<boolean> {
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
