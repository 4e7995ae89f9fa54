import { isoTimeOrNull, readInstant, readLevel } from '#libs/domain';
import { failure, usageError } from '../cli-error.ts';
import { createProgress, type Progress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { type ConfigFlags, readZipConfig } from '../upload/zip-config.ts';
import { ConversionReport } from './conversion-report.ts';
import { explanationLines } from './explanation-lines.ts';
import type { ExplainedItem, Finding, Format, FoundAsset, ReportItem, SeverityLevel } from './format.ts';
import { formatNamed, knownFormats } from './formats.ts';
import { Ledger } from './ledger.ts';
import { readMapFile } from './map/map-file.ts';
import { levelOfScore } from './mapping/severity-level.ts';
import { type Outcome, outcomeLines } from './outcome-lines.ts';
import type { AssetMatching } from './packing/entity-assets.ts';
import { PartFiles } from './packing/part-files.ts';
import { SpilledFindings } from './packing/spilled-findings.ts';
import { ZipPacker } from './packing/zip-packer.ts';
import { placeOf } from './place.ts';
import { openReport, type ReportFile } from './reading/report-file.ts';
import { UnreadableReport } from './reading/unreadable-report.ts';
import { assertIs, expecting, formatsOf } from './recognise.ts';

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

/** A report and its reader. */
interface Input {
  file: ReportFile;
  format: Format;
}

/** The options that change findings. */
interface Rules {
  asset: string | null;
  matching: AssetMatching;
  observedAt: string | null;
  minSeverity: SeverityLevel;
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
  const zips = await PartFiles.create(options.out, config.content, options.force ?? false);
  const report = options.report === undefined ? null : await ConversionReport.create(options.report);
  const spilled = await SpilledFindings.create(rules.matching);
  const ledger = new Ledger(report);
  try {
    await readAll(inputs, {
      spilled,
      ledger,
      rules,
      mayBeEmpty: !config.replaces || (options.allowEmpty ?? false),
      progress: createProgress(terminal.stderr, options.json ?? false),
    });
    const packer = new ZipPacker(ledger, (entries) => zips.write(entries), {
      splitsAssets: !config.replaces,
      source: inputs[0]!.format.source,
    });
    for await (const group of spilled.groups()) await packer.add(group);
    await packer.close();
    ledger.assertComplete();
    const refused = options.strict === true && ledger.listed > 0;
    const written = refused ? [] : await zips.finish();
    const outcome = { ...outcomeOf(inputs, ledger, packer), replaces: config.replaces, zips: written };
    await report?.finish({ ...outcome, entries: undefined });
    print(outcome, options, terminal);
    if (refused) throw failure(`--strict: ${ledger.listed} findings are not mapped; no ZIP was written`);
  } catch (error) {
    await report?.discard();
    throw error instanceof UnreadableReport ? usageError(`nothing was written: ${error.message}`) : error;
  } finally {
    await zips.discard();
    await spilled.remove();
  }
}

function rulesOf({
  asset,
  assetMatching: matching = 'name',
  observedAt,
  minSeverity = 'info',
}: ConvertOptions): Rules {
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
  };
}

async function openInputs(
  paths: string[],
  options: Pick<ConvertOptions, 'from' | 'map'>,
  mapFolder: string | undefined,
): Promise<Input[]> {
  const formats = options.map === undefined ? knownFormats(mapFolder) : [];
  const given = formatGiven(options, formats);
  const inputs: Input[] = [];
  for (const path of paths) {
    inputs.push(
      await openInput(path, given, formats).catch((error) => {
        throw error instanceof UnreadableReport ? usageError(`nothing was written: ${error.message}`) : error;
      }),
    );
  }
  return inputs;
}

/** By --map or --from; undefined without both. */
function formatGiven(
  { from, map }: Pick<ConvertOptions, 'from' | 'map'>,
  formats: Format[],
): Format | undefined {
  if (from !== undefined && map !== undefined) throw usageError('use either --from or --map, not both');
  if (map !== undefined) return readMapFile(map);
  if (from === undefined) return undefined;
  const given = formatNamed(from, formats);
  if (given) return given;
  throw usageError(`unknown format: --from ${from}`, [
    `known formats: ${formats.map(({ name }) => name).join(', ')}`,
  ]);
}

async function openInput(path: string, given: Format | undefined, formats: Format[]): Promise<Input> {
  const file = await openReport(path);
  const [found, ...others] = given ? [given] : formatsOf(file, formats);
  if (!found) {
    throw usageError(`${path} has an unknown format`, [
      'set --from; posture convert --list shows all formats',
    ]);
  }
  if (others.length > 0) {
    throw usageError(
      `${path} can be of several formats: ${[found, ...others].map(({ name }) => name).join(', ')}`,
      ['set --from to one of them'],
    );
  }
  return { file: expecting(file, found), format: found };
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
    const items = isMap ? explained : coded.map((item) => ({ item, fields: null, left: [] }));
    stdout.write(`${explanationLines(file.name, format, items).join('\n')}\n`);
  }
}

interface Reading {
  spilled: SpilledFindings;
  ledger: Ledger;
  rules: Rules;
  /** Otherwise a report of which no finding is mapped is refused: it would empty its assets. */
  mayBeEmpty: boolean;
  progress: Progress;
}

async function readAll(inputs: Input[], reading: Reading): Promise<void> {
  const megabytes = (bytes: number) => Math.ceil(bytes / 1_048_576);
  const total = inputs.reduce((sum, { file }) => sum + file.bytes, 0);
  const phase = reading.progress.phase('Converting', megabytes(total), 'MB');
  let before = 0;
  try {
    for (const { file, format } of inputs) {
      const onProgress = (bytes: number) => phase.reach(megabytes(before + bytes));
      const items = format.read(file, { asset: reading.rules.asset, onProgress });
      let findings = 0;
      for await (const item of items) if (await take(item, file.name, format, reading)) findings += 1;
      assertIs(format, file);
      if (findings === 0 && !reading.mayBeEmpty) throw new UnreadableReport(file.name, null, EMPTY);
      await noteEncoding(file, reading.ledger);
      before += file.bytes;
    }
  } finally {
    phase.end();
  }
}

const EMPTY =
  'none of its findings is mapped, so a replacing ZIP would retire all findings of its assets (--allow-empty allows it)';

async function noteEncoding({ name: file, encodingProblem }: ReportFile, ledger: Ledger): Promise<void> {
  const problem = encodingProblem();
  if (problem === null) return;
  const { encoding, line } = problem;
  const text = `has bytes that are not ${encoding.toUpperCase()}: read as U+FFFD`;
  await ledger.note({ file, place: `line ${line}`, name: '' }, text);
}

/** @returns whether it is a finding that is mapped */
async function take(
  item: ReportItem,
  file: string,
  format: Format,
  { spilled, ledger, rules }: Reading,
): Promise<boolean> {
  if (item.kind === 'asset') {
    if (item.asset.name.trim() !== '') await spilled.addAsset(file, item.asset);
    return false;
  }
  ledger.read += 1;
  const list = async (reason: string) => {
    await ledger.list(placeOf(file, item), reason);
    return false;
  };
  if (item.kind === 'unmapped') return list(item.reason);
  const asset = item.asset ?? (rules.asset === null ? null : { name: rules.asset });
  const reason = reasonAgainst(item, asset, rules);
  if (reason !== null) return list(reason);
  if (!item.lastSeen && rules.observedAt === null) {
    await ledger.note(placeOf(file, item), 'has no time: set --observed-at');
  }
  await spilled.addFinding(file, {
    ...item,
    asset: asset!,
    source: item.source ?? format.source,
    lastSeen: item.lastSeen ?? rules.observedAt,
  });
  return true;
}

const RANKS: SeverityLevel[] = ['info', 'low', 'medium', 'high', 'critical'];

function reasonAgainst(finding: Finding, asset: FoundAsset | null, { minSeverity }: Rules): string | null {
  if (asset === null || /^\.*$/.test(asset.name.trim())) return 'names no asset: --asset NAME gives one';
  if (finding.name.trim() === '') return 'has no name';
  const { value, level } = finding.severity;
  const told = level ?? (value === null || value === undefined ? 'medium' : levelOfScore(value));
  return RANKS.indexOf(told) < RANKS.indexOf(minSeverity) ? `below --min-severity ${minSeverity}` : null;
}

function outcomeOf(inputs: Input[], ledger: Ledger, packer: ZipPacker): Omit<Outcome, 'replaces' | 'zips'> {
  const { read, mapped, listed, repeated, notMapped, notes } = ledger;
  return {
    files: inputs.map(({ file, format }) => ({ file: file.name, format: format.name })),
    read,
    mapped,
    listed,
    repeated,
    assets: packer.assets,
    signals: packer.signals,
    notMapped,
    notes,
  };
}

function print(outcome: Outcome, { json, strict }: ConvertOptions, { stdout }: Terminal): void {
  if (json && !(strict && outcome.listed > 0)) stdout.write(`${JSON.stringify({ ok: true, ...outcome })}\n`);
  else if (!json) stdout.write(`${outcomeLines(outcome).join('\n')}\n`);
}
