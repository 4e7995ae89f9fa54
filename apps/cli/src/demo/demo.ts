import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Schemas } from '#client';
import { readInstant } from '#libs/domain';
import { type DemoSignal, type DemoSize, type DemoUpload, demoUploads } from '#libs/sample-data';
import { type Deflated, deflated, planZips, writeZip, type ZipEntry } from '#libs/signal-zips';
import { usageError } from '../cli-error.ts';
import { type Connection, readConnection } from '../connection.ts';
import { addDeliveryOptions, type DeliveryOptions, integerBetween } from '../delivery-options.ts';
import { openClient } from '../open-client.ts';
import { createProgress, type Phase, type Progress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { outcomeLines, totalOutcome } from '../upload/outcome.ts';
import { type PlannedZip, sendZips, waitForFold } from '../upload/send-zips.ts';

interface DemoOptions extends DeliveryOptions {
  seed: string;
  machines: number;
  users: number;
  /** Midnight UTC of the second day; yesterday if omitted. */
  day?: number;
  days?: number;
  write?: string;
}

const DAY_MS = 86_400_000;
const ENTITIES_MAX = 10_000_000;
const DAYS = { min: 7, max: 365 };
/** Entities of a demo with a past: its findings are in memory while it is written. */
const PAST_ENTITIES_MAX = 5_000;

const EXAMPLES = `
The same seed, numbers and day give the same signals. The organization is invented; the vulnerabilities and
techniques are real.

Examples:
  posture demo
  posture demo --machines 3000 --users 400 --seed other
  posture demo --write ./demo-zips                      writes the ZIPs instead of sending them
  posture demo --days 90                                before the first start: a past of 90 days`;

/** `posture demo`, and `npm run demo`. */
export function demoCommand(terminal: Terminal): Command {
  const count = integerBetween(0, ENTITIES_MAX);
  const command = new Command('demo')
    .description(
      'Upload demo data of a fictitious organization: two days, 300 machines, 40 users, about 6,000 signals',
    )
    .option('--seed <text>', 'seed of the organization: each seed generates a different one', 'halden')
    .option('--machines <number>', 'number of machines', count, 300)
    .option('--users <number>', 'number of users', count, 40)
    .option('--day <date>', 'the second day, YYYY-MM-DD; default: yesterday', parseDay)
    .option(
      '--days <number>',
      'write the demo with a past of so many days into a site that has never been started: weekly scans, daily ' +
        'syncs, fixes, regressions, acceptances, triage, remediation plans',
      integerBetween(DAYS.min, DAYS.max),
    )
    .option('--write <directory>', 'write the ZIPs to a directory instead of sending them');
  return addDeliveryOptions(command)
    .addHelpText('after', EXAMPLES)
    .action((options: DemoOptions) => demo(options, terminal));
}

/** The last whole day, so that no signal is in the future. */
const yesterday = () => (Math.floor(Date.now() / DAY_MS) - 1) * DAY_MS;

function parseDay(text: string): number {
  const at = readInstant(`${text}T00:00:00Z`);
  if (at !== null) return at;
  throw new InvalidArgumentError('Expected a date such as 2026-05-31.');
}

/** @throws CliError exit 1 if the service refuses or is unreachable, exit 2 if the call is wrong */
async function demo(options: DemoOptions, terminal: Terminal): Promise<void> {
  const size: DemoSize = { ...options, secondDay: options.day ?? yesterday() };
  const { json = false } = options;
  const progress = createProgress(terminal.stderr, json);
  if (options.days !== undefined) return writeWithPast(size, options.days, options, progress, terminal);
  if (options.write !== undefined) return writeDemo(size, options.write, json, progress, terminal);
  const connection = await readConnection(terminal.env, options.url);
  const results = [];
  for (const upload of demoUploads(size)) {
    const result = await sendDemo(connection, upload, size, options.wait, progress);
    results.push(result);
    if (!json) terminal.stdout.write(`${resultLines(result).join('\n')}\n\n`);
  }
  terminal.stdout.write(
    json
      ? `${JSON.stringify({ ok: true, uploads: results.map(asJson) })}\n`
      : `API documentation: ${connection.url}/docs\n`,
  );
}

/** @throws CliError exit 2 if the options exclude each other, or the second day has not passed */
async function writeWithPast(
  size: DemoSize,
  days: number,
  { write, url, json }: DemoOptions,
  progress: Progress,
  terminal: Terminal,
): Promise<void> {
  if (write !== undefined || url !== undefined) {
    throw usageError('--days writes into the log of a site: omit --write and --url');
  }
  if (size.machines + size.users > PAST_ENTITIES_MAX) {
    throw usageError(`--days writes at most ${PAST_ENTITIES_MAX} machines and users`);
  }
  if (size.secondDay > yesterday()) throw usageError('--day must be before today');
  // Loaded here: uploads need none of it.
  const { writePast } = await import('./past/write-past.ts');
  const { isUnchanged, ...written } = await writePast(size, days, progress, terminal);
  const { events, uploads, syncs, acts } = written;
  const counts = `${days} days: ${events} events, ${uploads} uploads, ${syncs} syncs, ${acts} acts of users`;
  terminal.stdout.write(
    json
      ? `${JSON.stringify({ ok: true, days, ...written, unchanged: isUnchanged })}\n`
      : `${isUnchanged ? 'Unchanged ' : 'Written   '} ${counts}\n` +
          'Start      the service (npm start): it processes and scores them first\n',
  );
}

interface DemoResult {
  title: string;
  accepted: number;
  uploadIds: string[];
  statuses: Schemas['UploadDto'][];
}

async function sendDemo(
  connection: Connection,
  upload: DemoUpload,
  size: DemoSize,
  waitSeconds: number,
  progress: Progress,
): Promise<DemoResult> {
  const result: DemoResult = { title: upload.title, accepted: 0, uploadIds: [], statuses: [] };
  let note: Phase['note'] = () => {};
  const client = openClient(connection, { onWait: (reason) => note(reason) });
  await forEachChunk(upload, size, progress, 'Sending', async (zips, phase) => {
    note = phase.note;
    for (const { accepted, uploadId } of await sendZips(client, zips, false, { ...phase, reach: () => {} })) {
      result.accepted += accepted;
      result.uploadIds.push(uploadId);
    }
  });
  if (waitSeconds > 0) result.statuses = await waitForFold(client, result.uploadIds, waitSeconds, progress);
  return result;
}

const resultLines = ({ title, accepted, uploadIds, statuses }: DemoResult): string[] => [
  `${title}: ${accepted} signals in ${uploadIds.length} ${uploadIds.length === 1 ? 'ZIP' : 'ZIPs'}`,
  ...(statuses.length > 0 ? outcomeLines(totalOutcome(statuses)) : []),
  ...(statuses.every(({ done }) => done) ? [] : ['Some signals are not processed yet.']),
];

const asJson = ({ title, accepted, uploadIds, statuses }: DemoResult) => ({
  title,
  accepted,
  uploadIds,
  folded: statuses.length > 0 && statuses.every(({ done }) => done),
  ...totalOutcome(statuses),
});

/** @throws CliError exit 2 if a file cannot be written */
async function writeDemo(
  size: DemoSize,
  directory: string,
  json: boolean,
  progress: Progress,
  { stdout }: Terminal,
): Promise<void> {
  const written: string[] = [];
  await mkdir(directory, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw usageError(`cannot create directory ${directory} (${error.code})`);
  });
  for (const upload of demoUploads(size)) {
    let number = 0;
    await forEachChunk(upload, size, progress, 'Writing', async (zips) => {
      for (const { bytes } of zips) {
        const path = join(directory, `${upload.file}-${String(++number).padStart(3, '0')}.zip`);
        await writeNew(path, await bytes());
        written.push(path);
        if (!json) stdout.write(`${path}\n`);
      }
    });
  }
  if (json) stdout.write(`${JSON.stringify({ ok: true, zips: written })}\n`);
}

async function writeNew(path: string, content: Buffer): Promise<void> {
  await writeFile(path, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw usageError(
      error.code === 'EEXIST' ? `${path} already exists` : `cannot write ${path} (${error.code})`,
    );
  });
}

/** Entities packed at a time: bounds the memory for any size of the organization. */
const CHUNK_ENTITIES = 500;

async function forEachChunk(
  upload: DemoUpload,
  size: DemoSize,
  progress: Progress,
  verb: string,
  use: (zips: PlannedZip[], phase: Phase) => Promise<void>,
): Promise<void> {
  const phase = progress.phase(`${verb} ${upload.title}`, size.machines + size.users, 'entities');
  const config = upload.config && Buffer.from(JSON.stringify(upload.config));
  let signals: DemoSignal[] = [];
  let entities = 0;
  const flush = async () => {
    await use(packed(signals, config, upload.title), phase);
    signals = [];
    phase.reach(entities);
  };
  try {
    for (const group of upload.signals()) {
      signals.push(...group);
      if (++entities % CHUNK_ENTITIES === 0) await flush();
    }
    await flush();
  } finally {
    phase.end();
  }
}

const packed = (signals: DemoSignal[], config: Buffer | null, label: string): PlannedZip[] =>
  planZips(signals.map(measured), true).zips.map((zip) => ({
    label,
    bytes: () => writeZip(zip.map(entryOf), config),
  }));

function measured({ entryName, entityKey, content }: DemoSignal) {
  const packed = deflated(content);
  return {
    entryName,
    entityKey,
    content: packed,
    deflatedBytes: packed.bytes.length,
    unpackedBytes: packed.unpackedBytes,
  };
}

const entryOf = ({ entryName, content }: { entryName: string; content: Deflated }): ZipEntry => ({
  name: entryName,
  read: async () => content,
});
