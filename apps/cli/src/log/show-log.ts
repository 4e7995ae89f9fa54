import { pipeline } from 'node:stream/promises';
import { partitionOf } from '#libs/contracts';
import { INTAKE_TOPIC } from '#libs/intake';
import { usageError } from '../cli-error.ts';
import { isReaderGone } from '../is-reader-gone.ts';
import { createProgress } from '../progress.ts';
import { openSiteAt, type Site } from '../site.ts';
import type { Terminal } from '../terminal.ts';
import { borrowDatabase } from './borrow-database.ts';
import { logFailure } from './log-failure.ts';
import { logLine } from './log-line.ts';
import type { LogOptions } from './log-options.ts';
import { type RatedPhase, ratedPhase } from './rated-phase.ts';

/** Part of a partition: offsets of [from, to). */
interface Stretch {
  partition: number;
  from: number;
  to: number;
}

/** @throws CliError exit 2 if the call or the log is wrong, exit 1 if the log is unreachable */
export async function showLog(options: LogOptions, terminal: Terminal): Promise<void> {
  const { config, url, giveBack } = await borrowDatabase(terminal.env, { mayMake: false });
  try {
    const site = await openSiteAt({ config, url });
    try {
      await show(site, options, terminal);
    } finally {
      await site.close();
    }
  } catch (error) {
    throw logFailure('the log', error);
  } finally {
    await giveBack();
  }
}

async function show({ log, opener }: Site, options: LogOptions, terminal: Terminal): Promise<void> {
  const stretches = stretchesOf(await log.ends(INTAKE_TOPIC), options);
  const total = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  // On one screen the lines themselves are the progress.
  const isShown = (terminal.stdout as { isTTY?: boolean }).isTTY === true;
  const phase = ratedPhase(createProgress(terminal.stderr, isShown), terminal, 'Reading', total);
  try {
    await pipeline(linesOf({ log, opener }, stretches, options, phase), terminal.stdout, { end: false });
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  } finally {
    phase.end();
  }
}

function stretchesOf(ends: number[], { entity, partition: asked, offset }: LogOptions): Stretch[] {
  const own = entity === undefined ? undefined : partitionOf(entity, ends.length);
  if (asked !== undefined && asked >= ends.length) {
    throw usageError(`partition ${asked} does not exist: this log has partitions 0 to ${ends.length - 1}`);
  }
  if (asked !== undefined && own !== undefined && asked !== own) {
    throw usageError(`the records of ${entity} are in partition ${own}, not ${asked}`);
  }
  return ends
    .map((end, partition) => ({
      partition,
      from: Math.min(offset?.from ?? 0, end),
      to: Math.min(offset?.to ?? end, end),
    }))
    .filter(({ partition }) => partition === (asked ?? own ?? partition));
}

async function* linesOf(
  { log, opener }: Pick<Site, 'log' | 'opener'>,
  stretches: Stretch[],
  options: LogOptions,
  phase: RatedPhase,
): AsyncGenerator<string> {
  for (const { partition, from, to } of stretches) {
    let next = from;
    for await (const records of log.read(INTAKE_TOPIC, partition, from, to)) {
      let lines = '';
      for (const record of records) {
        if (record.offset !== next) break;
        next += 1;
        const line = logLine(record, options, options.full ?? false);
        if (line) lines += `${JSON.stringify(line)}\n`;
      }
      phase.add(records.length);
      if (lines !== '') yield await opener.json(lines);
      if (next <= records.at(-1)!.offset) break;
    }
    if (next < to) throw usageError(`the log has a hole: partition ${partition}, offset ${next} is missing`);
  }
}
