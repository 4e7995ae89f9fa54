import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import {
  deflated,
  GrownFilesError,
  PART_BYTES_MAX,
  planZips,
  writeZip,
  type ZipEntry,
} from '#libs/signal-zips';
import { failure, usageError } from '../cli-error.ts';
import { readConnection } from '../connection.ts';
import { addDeliveryOptions, type DeliveryOptions } from '../delivery-options.ts';
import { openClient } from '../open-client.ts';
import { printable } from '../printable.ts';
import { createProgress, type Phase, type Progress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { deliver } from './deliver.ts';
import { uniqueNames } from './entry-names.ts';
import { type FoundFile, type FoundFiles, findFiles } from './find-files.ts';
import { preview } from './preview.ts';
import type { PlannedZip } from './send-zips.ts';
import { measureSignalFile, readSignalFile, type SignalFile, type UnusableFile } from './signal-file.ts';
import { type ConfigFlags, readZipConfig, type ZipConfig } from './zip-config.ts';

interface UploadOptions extends DeliveryOptions, ConfigFlags {
  skipInvalid?: boolean;
  dryRun?: boolean;
}

const EXAMPLES = `
The command packs JSON signals into ZIPs below 5 MB, with all signals of an entity in one ZIP. It sends a .zip file
unchanged, with the config.json inside it.
Without --replace or --config, the upload adds and updates findings and retires no finding.

Examples:
  posture upload scan-results/                           every .json and .zip in a directory
  posture upload monday.zip                              an existing ZIP
  posture upload --replace va scans/*.json               replaces the whole va assessment of the entities
  posture upload --config config.json --json scans/      settings from a file, the outcome as JSON
  posture upload --dry-run --replace va scans/           shows what would be created, updated, retired, ignored
  POSTURE_URL=https://posture.example.org posture upload scan.json`;

/** `posture upload FILE…`. */
export function uploadCommand(terminal: Terminal): Command {
  const command = new Command('upload')
    .description('Pack signals into ZIPs, upload them, wait for the outcome and print it')
    .argument('<file...>', 'JSON signals, ZIPs, or directories of them')
    .option('--config <file>', 'config.json to pack with the signals')
    .option('--replace <types>', 'replace the whole assessment of these types, such as va,edr')
    .option('--no-import-assets', 'ignore signals of entities that the service does not know')
    .option('--allow-override', 'a failing signal ends the acceptance of an Accepted Failed finding')
    .option('--no-update-metadata', 'do not change the metadata of existing assets')
    .option('--skip-invalid', 'skip invalid signals and send the rest')
    .option('--dry-run', 'print what would be created, updated, retired and ignored; store nothing');
  return addDeliveryOptions(command)
    .addHelpText('after', EXAMPLES)
    .action((files: string[], options: UploadOptions) => upload(files, options, terminal));
}

/** @throws CliError exit 2 before anything is sent if a file or the call is wrong, exit 1 if the service refuses */
async function upload(args: string[], options: UploadOptions, terminal: Terminal): Promise<void> {
  const connection = await readConnection(terminal.env, options.url);
  const progress = createProgress(terminal.stderr, options.json ?? false);
  const config = await readZipConfig(options);
  const files = await findFiles(args);
  checkConfigsAmong(files, options);
  checkReadyZips(files, config);
  const { usable, unusable } = await measure(files.signals, progress);
  checkUnusable(unusable, options, config);
  const { packed, notes } = plan(usable, config);
  const zips = [...packed, ...(await readyZips(files.zips))];
  if (zips.length === 0) throw usageError('no signal to send: the files include no .json and no .zip');

  const sending = progress.phase(options.dryRun ? 'Previewing' : 'Sending', zips.length, 'ZIPs');
  const client = openClient(connection, { onWait: sending.note });
  const delivery = { ...options, notes, skipped: unusable };
  if (options.dryRun) await preview(client, zips, delivery, sending, terminal);
  else await deliver(client, zips, delivery, sending, progress, terminal);
}

/** A config.json among the signals is never one of them, and is not applied unasked: it may replace assessments. */
function checkConfigsAmong({ configs }: FoundFiles, { config }: UploadOptions): void {
  const other = configs.find(({ path }) => config === undefined || resolve(path) !== resolve(config));
  if (!other) return;
  throw usageError(`${other.path} is a ZIP configuration, not a signal`, [
    `pass it with --config ${other.path}, or leave it out`,
  ]);
}

/** On a finished ZIP the flags would silently have no effect. */
function checkReadyZips({ zips: [ready] }: FoundFiles, { content }: ZipConfig): void {
  if (ready === undefined || content === null) return;
  throw usageError(
    `nothing was sent: ${ready.path} is sent unchanged, so --config, --replace and similar options have no effect on it`,
    ['put a config.json inside the ZIP, as `posture convert` does, and send it without these options'],
  );
}

async function measure(
  files: FoundFile[],
  progress: Progress,
): Promise<{ usable: SignalFile[]; unusable: UnusableFile[] }> {
  const usable: SignalFile[] = [];
  const unusable: UnusableFile[] = [];
  if (files.length === 0) return { usable, unusable };
  const phase: Phase = progress.phase('Reading', files.length, 'files');
  const entryName = uniqueNames();
  for (const [index, file] of files.entries()) {
    const measured = await measureSignalFile(file, entryName(file.name));
    if ('problem' in measured) unusable.push(measured);
    else usable.push(measured);
    phase.reach(index + 1);
  }
  phase.end();
  return { usable, unusable };
}

const PROBLEMS_SHOWN = 100;

function checkUnusable(unusable: UnusableFile[], { skipInvalid }: UploadOptions, config: ZipConfig): void {
  if (unusable.length === 0) return;
  const details = unusable
    .slice(0, PROBLEMS_SHOWN)
    .map(({ path, problem }) => `${printable(path)} ${problem}`);
  if (!skipInvalid) {
    throw usageError(`nothing was sent: ${unusable.length} files are invalid`, [
      ...details,
      '--skip-invalid skips them',
    ]);
  }
  if (config.replaces) {
    throw usageError('nothing was sent: with --replace, skipping a file retires its findings', [
      ...details,
      'correct the files, or send without --replace',
    ]);
  }
}

function plan(signals: SignalFile[], config: ZipConfig): { packed: PlannedZip[]; notes: string[] } {
  const { zips, splitEntities, oversizedEntities } = planZips(signals, config.replaces);
  if (oversizedEntities.length > 0) {
    throw usageError('nothing was sent: with --replace, the assessment of an entity must fit in one ZIP', [
      ...oversizedEntities.map((key) => `${printable(key)} does not fit in 5 MB`),
      'send without --replace, or replace fewer types at a time',
    ]);
  }
  return {
    packed: zips.map((files, index) => ({
      label: zips.length === 1 ? 'the ZIP of signals' : `ZIP ${index + 1} of the signals`,
      bytes: () => zipOf(files, config),
    })),
    notes: splitEntities.map((key) => `${key} does not fit in one ZIP and was split across several`),
  };
}

/** Only files of the user can grow while they are packed. */
const zipOf = (files: SignalFile[], { content }: ZipConfig): Promise<Buffer> =>
  writeZip(files.map(entryOf), content).catch((error: unknown) => {
    throw error instanceof GrownFilesError ? failure(error.message) : error;
  });

const entryOf = ({ path, entryName }: SignalFile): ZipEntry => ({
  name: entryName,
  read: async () => {
    const content = await readSignalFile(path);
    if (typeof content === 'string') throw failure(`${path} changed during the upload: it ${content}`);
    return deflated(content);
  },
});

async function readyZips(files: FoundFile[]): Promise<PlannedZip[]> {
  for (const { path } of files) {
    const { size } = await stat(path);
    if (size > PART_BYTES_MAX) throw usageError(`nothing was sent: ${path} is larger than 5 MB`);
  }
  return files.map(({ path }) => ({ label: path, bytes: () => readZip(path) }));
}

async function readZip(path: string): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException): never => {
    throw failure(`cannot read ${path} (${error.code})`);
  });
}
