import { resolve } from 'node:path';
import { Backup, erasuresOf, type LogCut, type Restored, readErasures, restoreSite } from '#libs/backup';
import { createLogger } from '#libs/config';
import { openDatabase } from '#libs/database';
import { isoTime } from '#libs/domain';
import { hasSegments } from '#libs/log-archive';
import { openEventLog } from '#libs/program';
import { usageError } from '../cli-error.ts';
import { Folding } from '../folding.ts';
import { borrowDatabase } from '../log/borrow-database.ts';
import { partitionsFor, startText } from '../log/partitions-for.ts';
import { configOf } from '../site.ts';
import { siteFailure } from '../site-failure.ts';
import type { Terminal } from '../terminal.ts';
import type { RestoreCommandOptions } from './restore-options.ts';
import { wrappingKeysOf } from './wrapping-keys.ts';

const CONNECTIONS_MAX = 8;

/**
 * Creates nothing before the whole backup is checked, nor if the target is not empty.
 * @throws CliError exit 2 if backup or target are invalid; exit 1 if something is unreachable
 */
export async function restore(
  directory: string,
  options: RestoreCommandOptions,
  terminal: Terminal,
): Promise<void> {
  if (options.keepLog && options.until !== undefined) {
    throw usageError('--keep-log and --until cannot be combined: a kept log is always folded to its end');
  }
  if (options.keys !== undefined && options.withoutKeys) {
    throw usageError('--keys and --without-keys cannot be combined');
  }
  try {
    const backup = await Backup.open(resolve(directory), {
      keysFile: options.keys === undefined ? undefined : resolve(options.keys),
      withoutKeys: options.withoutKeys,
    });
    const erasureLists = await readErasureLists(backup, options, configOf(terminal.env).erasureList);
    const cut = await checked(backup, options, terminal);
    const erased = erasureLists.flatMap(({ subjects }) => subjects);
    const { replayed, keyIds } = await restored(backup, cut, erased, options, terminal);
    terminal.stdout.write(summaryLines(cut, replayed, erasureLists, keyIds, options));
  } catch (error) {
    throw siteFailure(error as Error);
  }
}

interface ErasureList {
  path: string;
  subjects: string[];
}

/** Of the backup, which has none if no subject was erased, of a list that the caller names, and of the list that gateways write. */
async function readErasureLists(
  { folder }: Backup,
  { erasures }: RestoreCommandOptions,
  ofGateways: string | undefined,
): Promise<ErasureList[]> {
  const listAt = async (path: string | undefined, refusal?: string): Promise<ErasureList[]> => {
    const subjects = path && (await readErasures(path));
    if (path && subjects) return [{ path, subjects }];
    if (path && refusal) throw usageError(`${path} does not exist: ${refusal}`);
    return [];
  };
  return [
    ...(await listAt(erasuresOf(folder))),
    ...(await listAt(erasures, '--erasures names the erasure list of the latest backup')),
    ...(await listAt(
      ofGateways,
      'ERASURE_LIST names the list that gateways write. Mount its disk, or create an empty file if it was never written: without the list, keys of erased subjects come back',
    )),
  ];
}

async function checked(
  backup: Backup,
  { until, json = false }: RestoreCommandOptions,
  terminal: Terminal,
): Promise<LogCut> {
  const checking = new Folding(terminal, json, 'Checking');
  let records = 0;
  try {
    return await backup.verify(until, (count) => {
      records += count;
      checking.reach(records, backup.records);
    });
  } finally {
    checking.end();
  }
}

async function restored(
  backup: Backup,
  cut: LogCut,
  erased: readonly string[],
  { until, keepLog = false, json = false }: RestoreCommandOptions,
  terminal: Terminal,
): Promise<{ replayed: Restored; keyIds: string[] }> {
  const importing = new Folding(terminal, json, 'Importing');
  const folding = new Folding(terminal, json, 'Folding');
  const { config, url: databaseUrl, giveBack } = await borrowDatabase(terminal.env, { mayMake: true });
  const database = openDatabase(databaseUrl, { max: CONNECTIONS_MAX });
  try {
    const { ends } = cut.source.extent;
    const logPartitions = partitionsFor(ends.length, config, terminal);
    if (keepLog && !config.kafkaBrokers) {
      throw usageError('--keep-log requires a log on Kafka: set KAFKA_BROKERS');
    }
    if (!keepLog && (await hasSegments(config.logArchive))) {
      throw usageError(
        `LOG_ARCHIVE (${config.logArchive}) contains segments of another log: name an empty directory`,
      );
    }
    const total = ends.reduce((sum, end) => sum + end, 0);
    let imported = 0;
    const replayed = await restoreSite(database, backup, {
      databaseUrl,
      cut,
      until,
      erased,
      keepsLog: keepLog,
      openLog: () => openEventLog({ ...config, logPartitions }, databaseUrl, createLogger('error')),
      onImported: (count) => {
        imported += count;
        importing.reach(imported, total);
      },
      onFolded: (records, of) => {
        importing.end();
        folding.reach(records, of);
      },
    });
    return { replayed, keyIds: await wrappingKeysOf(database.db) };
  } finally {
    importing.end();
    folding.end();
    await database.close();
    await giveBack();
  }
}

const ADVICE: Record<string, string> = {
  identityProvider: 'enter its client secret again',
  user: 'provision its groups again',
};

/** @param name of a credential, which contains no colon, or with what it is before a colon */
const adviceFor = (name: string): string => ADVICE[name.split(':', 1)[0]!] ?? 'rotate it again';

function summaryLines(
  { source, clock }: LogCut,
  { records, assets, findings, credentials, erasedAgain, removedUsers }: Restored,
  erasureLists: readonly ErasureList[],
  wrappingKeys: readonly string[],
  { json, keepLog }: RestoreCommandOptions,
): string {
  const { logId, ends } = source.extent;
  const lastEvent = isoTime(clock);
  // A log that was kept continues after the backup.
  const reached = keepLog ? {} : { lastEvent, positions: ends };
  const lists = erasureLists.map(({ path, subjects }) => ({ path, subjects: subjects.length }));
  if (json) {
    return `${JSON.stringify({ ok: true, logId, records, assets, findings, credentials, erasureLists: lists, erasedAgain, removedUsers, wrappingKeys, ...reached })}\n`;
  }
  const ended = [
    ...credentials.deleted.map(
      (name) => `Deleted    ${name}: the log records the deletion after the backup\n`,
    ),
    ...credentials.locked.map(
      (name) =>
        `Locked     ${name}: it was rotated or changed, or got a second factor, after the backup; ${adviceFor(name)}\n`,
    ),
    ...(credentials.withoutRecoveryCodes.length > 0
      ? [
          `Codes      recovery codes were removed (users: ${credentials.withoutRecoveryCodes.length}): create others with a code of the app. Without the secret key, these users cannot sign in\n`,
        ]
      : []),
    ...lists.map(({ path, subjects }) => `Erasures   ${subjects} subjects are in ${path}\n`),
    ...(lists.length === 0 ? ['Erasures   no list was found: no subject is erased again\n'] : []),
    ...(erasedAgain > 0 ? [`Erased     ${erasedAgain} subjects again, by the erasure list\n`] : []),
    ...(removedUsers === null
      ? []
      : [
          `Removed    all sign-ins and ${removedUsers} users of identity providers, with their views and notifications: it is not known which are of erased persons\n`,
        ]),
  ];
  return (
    `Restored   ${records} records of log ${logId}${keepLog ? '' : `, the last of ${lastEvent}`}: ${assets} assets and ${findings} findings\n` +
    ended.join('') +
    'Keys       before the first start, copy the secret key of the old site: it decrypts the stored secrets\n' +
    (wrappingKeys.length > 0
      ? `Keys       they are encrypted with ${wrappingKeys.join(', ')}: posture keys status shows whether the secret key fits\n`
      : '') +
    startText(ends.length)
  );
}
