import { isoTimeOrNull, readInstant, readLevel } from '#libs/domain';
import {
  assertIs,
  type ConversionRules,
  convertReports,
  type ExplainedItem,
  type Format,
  formatNamed,
  type Input,
  knownFormats,
  Ledger,
  NothingMapped,
  openInput,
  type ReportItem,
  readMapFile,
  UnknownFormat,
  UnreadableReport,
} from '#libs/reports';
import { type CliError, failure, usageError } from '../cli-error.ts';
import { createProgress } from '../progress.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import type { Terminal } from '../terminal.ts';
import { type ConfigFlags, readZipConfig } from '../upload/zip-config.ts';
import { ConversionReport } from './conversion-report.ts';
import { explanationLines, type ShownItem } from './explanation-lines.ts';
import { type Outcome, outcomeLines } from './outcome-lines.ts';
import { PartFiles } from './part-files.ts';
import { readMapOr } from './read-map-or.ts';

export interface ConvertOptions extends ConfigFlags {
  /** A format's name; omitted: detected from the beginning of each file. */
  from?: string;
  /** A map file, by which all files are read. */
  map?: string;
  out: string;
  asset?: string;
  assetMatching?: string;
  observedAt?: string;
  minSeverity?: string;
  report?: string;
  strict?: boolean;
  /** Of earlier versions: an asset is split wherever nothing is replaced. */
  splitAssets?: boolean;
  /** A replacing ZIP may be made of a report in which nothing was found. */
  allowEmpty?: boolean;
  force?: boolean;
  json?: boolean;
}

/**
 * Converts reports of scanners into ZIPs of signals. Files appear when all reports were read to their end.
 * @throws CliError exit 2 if the call is wrong or a report cannot be read, exit 1 with `--strict` if a finding
 * could not be mapped
 */
export async function convert(paths: string[], options: ConvertOptions, terminal: Terminal): Promise<void> {
  const rules = rulesOf(options);
  const config = await readZipConfig(options);
  if (config.replaces && options.splitAssets) {
    throw usageError(
      '--split-assets cannot be combined with --replace: the assessment of an asset must be in one ZIP',
    );
  }
  const inputs = await openInputs(paths, options, terminal.env.POSTURE_MAPS);
  const parts = await PartFiles.create(options.out, config.content, options.force ?? false);
  const report = options.report === undefined ? null : await ConversionReport.create(options.report);
  const ledger = new Ledger(report);
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576);
  const total = inputs.reduce((sum, { file }) => sum + file.bytes, 0);
  const progress = createProgress(terminal.stderr, options.json ?? false);
  const phase = progress.phase('Converting', megabytes(total), 'MB');
  try {
    const packed = await withTemporaryFolder((folder) =>
      convertReports(inputs, {
        rules,
        ledger,
        folder,
        replaces: config.replaces,
        mayBeEmpty: options.allowEmpty ?? false,
        write: (entries) => parts.write(entries),
        onProgress: (bytes) => phase.reach(megabytes(bytes)),
      }),
    ).finally(() => phase.end());
    const refused = options.strict === true && ledger.listed > 0;
    const zips = refused ? [] : parts.zips;
    const outcome = { ...outcomeOf(inputs, ledger, packed), replaces: config.replaces, zips };
    await report?.finish({ ...outcome, entries: undefined });
    if (!refused) await parts.finish();
    print(outcome, options, terminal);
    if (refused) throw failure(`--strict: ${ledger.listed} findings are not mapped; no ZIP was written`);
  } catch (error) {
    await report?.discard();
    throw error instanceof UnreadableReport ? nothingWritten(error) : await failureOf(error as Error);
  } finally {
    await parts.discard();
  }
}

/** Conversions start without the adapters of the log. */
async function failureOf(error: Error): Promise<Error> {
  const { siteFailure } = await import('../site-failure.ts');
  return siteFailure(error);
}

const nothingWritten = (error: UnreadableReport): CliError =>
  usageError(
    `nothing was written: ${error.message}${error instanceof NothingMapped ? ' (--allow-empty allows it)' : ''}`,
  );

function rulesOf({
  asset,
  assetMatching: matching = 'name',
  observedAt,
  minSeverity = 'info',
}: ConvertOptions): ConversionRules {
  const level = readLevel(minSeverity);
  if (level === null) throw usageError('--min-severity must be critical, high, medium, low or info');
  const at = observedAt === undefined ? null : readInstant(observedAt);
  if (observedAt !== undefined && at === null) {
    throw usageError('--observed-at must be an instant with a zone, such as 2026-01-31T08:00:00Z');
  }
  if (asset?.trim() === '') throw usageError('--asset must not be blank');
  if (matching !== 'name' && matching !== 'fqdn') throw usageError('--asset-matching must be name or fqdn');
  return {
    asset: asset?.trim() ?? null,
    matching,
    observedAt: isoTimeOrNull(at),
    minSeverity: level,
    source: null,
  };
}

async function openInputs(
  paths: string[],
  options: Pick<ConvertOptions, 'from' | 'map'>,
  mapFolder: string | undefined,
): Promise<Input[]> {
  const formats = options.map === undefined ? readMapOr(() => knownFormats(mapFolder)) : [];
  const given = formatGiven(options, formats);
  const inputs: Input[] = [];
  for (const path of paths) {
    inputs.push(
      await openInput(path, path, given, formats).catch((error) => {
        throw error instanceof UnreadableReport
          ? nothingWritten(error)
          : error instanceof UnknownFormat
            ? unknownFormat(error)
            : error;
      }),
    );
  }
  return inputs;
}

const unknownFormat = ({ message, candidates }: UnknownFormat): CliError =>
  usageError(message, [
    candidates.length === 0
      ? 'set --from; posture convert --list shows all formats'
      : 'set --from to one of them',
  ]);

/** By --map or --from; undefined without both. */
function formatGiven(
  { from, map }: Pick<ConvertOptions, 'from' | 'map'>,
  formats: Format[],
): Format | undefined {
  if (from !== undefined && map !== undefined) throw usageError('use either --from or --map, not both');
  if (map !== undefined) return readMapOr(() => readMapFile(map));
  if (from === undefined) return undefined;
  const given = formatNamed(from, formats);
  if (given) return given;
  throw usageError(`unknown format: --from ${from}`, [
    `known formats: ${formats.map(({ name }) => name).join(', ')}`,
  ]);
}

/** How many findings of each report are explained. */
const EXPLAINED_MAX = 3;

/**
 * Prints, for the first findings of each report, which field became what, and what was left; writes no file.
 * @throws CliError exit 2 if a report cannot be read
 */
export async function explain(
  paths: string[],
  options: ConvertOptions,
  { env, stdout }: Terminal,
): Promise<void> {
  const { asset } = rulesOf(options);
  const reports: { file: string; format: string; findings: ShownItem[] }[] = [];
  for (const { file, format } of await openInputs(paths, options, env.POSTURE_MAPS)) {
    const explained: ExplainedItem[] = [];
    const onExplained = (each: ExplainedItem) =>
      void (explained.length < EXPLAINED_MAX && explained.push(each));
    const coded: ReportItem[] = [];
    try {
      for await (const item of format.read(file, { asset, onExplained })) {
        if (item.kind !== 'asset' && coded.length < EXPLAINED_MAX) coded.push(item);
      }
      assertIs(format, file);
    } catch (error) {
      throw error instanceof UnreadableReport ? usageError(error.message) : error;
    }
    const isMap = explained.length > 0;
    const findings = isMap ? explained : coded.map((item) => ({ item, fields: null, left: [] }));
    if (options.json) reports.push({ file: file.name, format: format.name, findings });
    else stdout.write(`${explanationLines(file.name, format, findings).join('\n')}\n`);
  }
  if (options.json) stdout.write(`${JSON.stringify({ ok: true, reports })}\n`);
}

function outcomeOf(
  inputs: Input[],
  ledger: Ledger,
  packed: { assets: number; signals: number },
): Omit<Outcome, 'replaces' | 'zips'> {
  const { read, mapped, listed, repeated, notMapped, notes } = ledger;
  return {
    files: inputs.map(({ file, format }) => ({ file: file.name, format: format.name })),
    read,
    mapped,
    listed,
    repeated,
    ...packed,
    notMapped,
    notes,
  };
}

function print(outcome: Outcome, { json, strict }: ConvertOptions, { stdout }: Terminal): void {
  if (json && !(strict && outcome.listed > 0)) stdout.write(`${JSON.stringify({ ok: true, ...outcome })}\n`);
  else if (!json) stdout.write(`${outcomeLines(outcome).join('\n')}\n`);
}
