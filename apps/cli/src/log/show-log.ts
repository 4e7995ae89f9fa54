import { pipeline } from 'node:stream/promises';
import { partitionOf } from '#libs/contracts';
import { type EntityType, entityKey } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { sealedKey, subjectOfKey } from '#libs/sealing';
import { failure, usageError } from '../cli-error.ts';
import { isReaderGone } from '../is-reader-gone.ts';
import { createProgress } from '../progress.ts';
import { openSiteAt, type Site } from '../site.ts';
import type { Terminal } from '../terminal.ts';
import { borrowDatabase } from './borrow-database.ts';
import { logFailure } from './log-failure.ts';
import { type LineFilter, logLine } from './log-line.ts';
import type { LogOptions } from './log-options.ts';
import { type RatedPhase, ratedPhase } from './rated-phase.ts';

/** Part of a partition: offsets of [from, to). */
interface Stretch {
  partition: number;
  from: number;
  to: number;
}

/** The filter of lines, and whether they are whole. */
type Shown = LineFilter & Pick<LogOptions, 'full'>;

/**
 * @throws CliError exit 2 if the call or the log is wrong; exit 1 if the log is unreachable, or nothing is found of an
 *   entity or upload
 */
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

async function show(site: Site, options: LogOptions, terminal: Terminal): Promise<void> {
  const { entities, unknown } = await keysOf(options.entity, site);
  const stretches = stretchesOf(await site.log.ends(INTAKE_TOPIC), options, entities);
  const total = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  // On one screen the lines themselves are the progress.
  const isShown = (terminal.stdout as { isTTY?: boolean }).isTTY === true;
  const phase = ratedPhase(createProgress(terminal.stderr, isShown), terminal, 'Reading', total);
  let isEmpty = true;
  const lines = async function* () {
    for await (const piece of linesOf(site, stretches, { ...options, entities }, phase)) {
      isEmpty = false;
      yield piece;
    }
  };
  try {
    await pipeline(lines(), terminal.stdout, { end: false });
  } catch (error) {
    if (!isReaderGone(error)) throw error;
  } finally {
    phase.end();
  }
  const { entity, upload, partition, from, to, offset } = options;
  const sought = [entity, upload && `upload ${upload}`].filter(Boolean);
  const isWhole = [partition, from, to, offset].every((limit) => limit === undefined);
  if (isEmpty && sought.length > 0 && (unknown || isWhole)) {
    throw failure(`no record of ${sought.join(' in ')} was found`, unknown ?? hintsOf(entity));
  }
}

const TYPED = /^(user|machine):(.+)$/is;

const hintsOf = (entity: string | undefined): string[] =>
  entity === undefined || TYPED.test(entity)
    ? []
    : ['an entity is machine:NAME or user:NAME, such as machine:web01'];

/**
 * The keys of an entity in the log: its own, and that of a sealed subject with its name. Without the secret of the site,
 * only the first is known: the reason is for an entity that is not found.
 */
async function keysOf(
  entity: string | undefined,
  { keys }: Site,
): Promise<{ entities?: string[]; unknown?: string[] }> {
  const [, typed, name] = TYPED.exec(entity ?? '') ?? [];
  if (entity === undefined) return {};
  if (name === undefined || subjectOfKey(entity) !== undefined) return { entities: [entity] };
  const type = typed!.toLowerCase() as EntityType;
  const own = entityKey(type, name);
  try {
    const subject = (await keys.find([own])).get(own)?.subject;
    return { entities: subject === undefined ? [own] : [own, sealedKey(subject, type)] };
  } catch (error) {
    return {
      entities: [own],
      unknown: [`encrypted names cannot be searched: ${(error as Error).message}`],
    };
  }
}

function stretchesOf(
  ends: number[],
  { entity, partition: asked, offset }: LogOptions,
  entities: string[] | undefined,
): Stretch[] {
  const own = entities?.map((key) => partitionOf(key, ends.length));
  if (asked !== undefined && asked >= ends.length) {
    throw usageError(`partition ${asked} does not exist: this log has partitions 0 to ${ends.length - 1}`);
  }
  if (asked !== undefined && own && !own.includes(asked)) {
    throw usageError(`the records of ${entity} are in partition ${own.join(' and ')}, not ${asked}`);
  }
  return ends
    .map((end, partition) => ({
      partition,
      from: Math.min(offset?.from ?? 0, end),
      to: Math.min(offset?.to ?? end, end),
    }))
    .filter(({ partition }) =>
      asked === undefined ? (own?.includes(partition) ?? true) : partition === asked,
    );
}

async function* linesOf(
  { log, opener }: Pick<Site, 'log' | 'opener'>,
  stretches: Stretch[],
  options: Shown,
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
