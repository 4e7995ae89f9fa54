import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Reading, settingsInForce } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import {
  type MendContext,
  type MendCounts,
  mendPartition,
  previewMend,
  type WrongPartition,
  wrongPartitions,
} from '#libs/replay';
import { readOrganization } from '#libs/tables';
import { failure, usageError } from '../cli-error.ts';
import { Folding } from '../folding.ts';
import { isFoldedTo } from '../is-folded-to.ts';
import { openSite, type Site } from '../site.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';
import { type MendedPartition, printMended } from './mend-lines.ts';
import { userName } from './user-name.ts';

const REASON_CHARACTERS_MAX = 500;

export interface MendOptions {
  reason?: string;
  dryRun?: boolean;
  json?: boolean;
}

/**
 * @throws CliError exit 1 if there is nothing to mend, the clocks differ or no process folds the log; exit 2 if the
 *   call is wrong or no service is found
 */
export async function mend(options: MendOptions, terminal: Terminal): Promise<void> {
  const { dryRun: isPreview = false, json = false } = options;
  const reason = isPreview ? '' : reasonOf(options);
  const folding = new Folding(terminal, json);
  let site: Site | undefined;
  try {
    site = await openSite(terminal.env);
    const context = await contextOf(site, reason);
    const wrong = await wrongNow(site, context);
    const records = await recordsOf(site, wrong);
    let read = 0;
    const onRecords = (count: number) => {
      read += count;
      folding.reach(read, Math.max(read, records));
    };
    const mended: MendedPartition[] = [];
    for (const one of wrong) {
      const counts = await (isPreview ? previewMend : mendPartition)(one, { ...context, onRecords });
      if (one.ahead !== null || sumOf(counts) > 0) mended.push({ ...one, counts });
    }
    folding.end();
    if (mended.length === 0) throw NOTHING;
    printMended(mended, { isPreview, json }, terminal);
  } catch (error) {
    throw siteFailure(error as Error);
  } finally {
    folding.end();
    await site?.close();
  }
}

const NOTHING = failure('no partition clock is ahead, and no correction is pending');

function reasonOf({ reason = '' }: MendOptions): string {
  const text = reason.trim();
  if (text !== '' && text.length <= REASON_CHARACTERS_MAX) return text;
  throw usageError(`--reason must have 1 to ${REASON_CHARACTERS_MAX} characters`);
}

async function contextOf({ database: { db }, log, sealer }: Site, reason: string): Promise<MendContext> {
  const { settings } = await readOrganization(db);
  const skewMs = settingsInForce(settings).clockSkewSecondsMax * 1_000;
  return {
    log,
    seal: (events) => sealer.seal(events),
    reason,
    by: { user: userName(), requestId: randomUUID() },
    settingsVersion: settings.version,
    reading: async () => {
      const { rows } = await sql<{ now: number }>`
        select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db);
      return agreeing({ at: Date.now(), receivedAt: rows[0]!.now }, skewMs);
    },
    folded: async (partition, end) => {
      if (await isFoldedTo(db, partition, end)) return;
      throw failure(
        `no projector processes partition ${partition}: start the service, then run the command again`,
      );
    },
  };
}

/** @throws CliError exit 1 if the clock of this machine and the database's differ */
function agreeing(reading: Reading, skewMs: number): Reading {
  const seconds = Math.round((reading.at - reading.receivedAt) / 1_000);
  if (Math.abs(reading.at - reading.receivedAt) <= skewMs) return reading;
  throw failure(
    `the clock of this machine differs from the database's by ${Math.abs(seconds)} s: correct the wrong clock first`,
  );
}

/** Waits until the log is folded. */
async function wrongNow({ database: { db }, log }: Site, context: MendContext): Promise<WrongPartition[]> {
  const { settings } = await readOrganization(db);
  for (const [partition, end] of (await log.ends(INTAKE_TOPIC)).entries())
    await context.folded(partition, end);
  const { at, receivedAt } = await context.reading();
  const latest = Math.min(at, receivedAt) + settingsInForce(settings).clockSkewSecondsMax * 1_000;
  const wrong = await wrongPartitions(db, latest);
  if (wrong.length === 0) throw NOTHING;
  return wrong;
}

async function recordsOf({ log }: Site, wrong: WrongPartition[]): Promise<number> {
  const ends = await log.ends(INTAKE_TOPIC);
  return wrong.reduce((sum, { partition }) => sum + ends[partition]!, 0);
}

const sumOf = ({ findingsReturned, assetsReturned, corrected }: MendCounts): number =>
  findingsReturned + assetsReturned + corrected;
