import { isFqdn, type Settings, severityLevelOf } from '#libs/domain';
import type { ZipLimits } from '#libs/signal-zips';
import type { Finding, Format, FoundAsset, ReportItem, SeverityLevel } from './format.ts';
import type { Input } from './input.ts';
import type { Ledger } from './ledger.ts';
import { inRange } from './mapping/cvss.ts';
import type { AssetMatching } from './packing/entity-assets.ts';
import type { SignalEntry } from './packing/signal-entry.ts';
import { SpilledFindings } from './packing/spilled-findings.ts';
import { ZipPacker } from './packing/zip-packer.ts';
import { type Place, placeOf } from './place.ts';
import type { ReportFile } from './reading/report-file.ts';
import { UnreadableReport } from './reading/unreadable-report.ts';
import { assertIs } from './recognise.ts';

/** What the caller sets for all findings. */
export interface ConversionRules {
  /** The asset of findings whose report names none, and of images. */
  asset: string | null;
  /** The value of the service's setting. */
  matching: AssetMatching;
  /** ISO time of findings without one; null: the time of arrival at the service. */
  observedAt: string | null;
  /** Findings below are listed. */
  minSeverity: SeverityLevel;
  /** The source of all signals; null: the tool. */
  source: string | null;
}

export interface Conversion {
  rules: ConversionRules;
  /** Counts and lists what becomes of each finding. */
  ledger: Ledger;
  /** An empty one for temporary files as large as the reports; whoever made it removes it. */
  folder: string;
  /** The ZIPs replace assessments: an asset must be in one, and not be emptied by accident. */
  replaces: boolean;
  /** A replacing ZIP may be made of a report of which no finding is mapped. */
  mayBeEmpty: boolean;
  /** An asset that does not fit in a ZIP is an error (TooManySignals); default: its findings are listed. */
  rejectsOversized?: boolean;
  /** The service that the signals must be accepted by; default: one with default settings. */
  service?: { receivedAt: number; settings: Settings };
  /** Takes the entries of a ZIP, ZIP by ZIP. */
  write(entries: SignalEntry[]): Promise<void>;
  /** Bounds of one ZIP; default: those of an upload. */
  limits?: ZipLimits;
  /** Bound of the temporary files; default: none. */
  spilledBytesMax?: number;
  /** Receives the bytes read so far, of all reports. */
  onProgress?(bytes: number): void;
}

/** None of a report's findings is mapped, though its ZIPs replace assessments. */
export class NothingMapped extends UnreadableReport {
  override name = 'NothingMapped';

  constructor(file: string) {
    super(
      file,
      null,
      'none of its findings is mapped, so a replacing ZIP would retire all findings of its assets',
    );
  }
}

/**
 * Converts reports into the entries of ZIPs. Every finding is mapped or listed in the ledger; nothing is written before
 * all reports were read to their end.
 * @returns how many assets and signals are in the ZIPs
 * @throws UnreadableReport, also after `write`; TooManySignals, any error of `write`
 */
export async function convertReports(
  inputs: Input[],
  conversion: Conversion,
): Promise<{ assets: number; signals: number }> {
  const { rules, ledger, folder, replaces, write, service, limits } = conversion;
  const spilled = new SpilledFindings(folder, rules.matching, conversion.spilledBytesMax);
  let before = 0;
  for (const input of inputs) {
    await readInput(input, spilled, conversion, (bytes) => conversion.onProgress?.(before + bytes));
    before += input.file.bytes;
  }
  const packer = new ZipPacker(ledger, write, {
    splitsAssets: !replaces,
    rejectsOversized: conversion.rejectsOversized ?? false,
    source: rules.source ?? inputs[0]!.format.source,
    ...(service && { service }),
    ...(limits && { limits }),
  });
  for await (const group of spilled.groups()) await packer.add(group);
  await packer.close();
  ledger.assertComplete();
  // The packer lists findings too: the service would reject them, for example.
  if (ledger.mapped === 0 && replaces && !conversion.mayBeEmpty)
    throw new NothingMapped(inputs[0]!.file.name);
  return { assets: packer.assets, signals: packer.signals };
}

async function readInput(
  { file, format }: Input,
  spilled: SpilledFindings,
  conversion: Conversion,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const { rules, ledger, replaces, mayBeEmpty } = conversion;
  let mapped = 0;
  for await (const item of format.read(file, { asset: rules.asset, onProgress }))
    if (await take(item, file.name, format, spilled, conversion)) mapped += 1;
  assertIs(format, file);
  await assertWhole(file, conversion);
  if (mapped === 0 && replaces && !mayBeEmpty) throw new NothingMapped(file.name);
  await noteEncoding(file, ledger);
}

/** @throws UnreadableReport if a report that says that it lacks findings would replace assessments */
async function assertWhole(
  { name: file, evidence }: ReportFile,
  { replaces, ledger }: Conversion,
): Promise<void> {
  const lack = evidence?.lack() ?? null;
  if (lack === null) return;
  if (replaces)
    throw new UnreadableReport(
      file,
      null,
      `is incomplete (${lack}), so a replacing ZIP would retire findings that it lacks`,
    );
  await ledger.note({ file, place: 'report', name: '' }, `is incomplete: ${lack}`);
}

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
  spilled: SpilledFindings,
  conversion: Conversion,
): Promise<boolean> {
  const { ledger, rules } = conversion;
  const named = item.kind === 'unmapped' ? null : item.asset;
  const asset = named ?? (rules.asset === null ? null : { name: rules.asset });
  const mayBeApplication = named === null || !(named.isHost ?? !format.namesApplications);
  if (item.kind === 'asset') {
    if (asset === null || asset.name.trim() === '') return false;
    if (mayBeApplication) await noteHostName(asset, { file, place: item.place, name: '' }, conversion);
    await spilled.addAsset(file, withoutUser(asset));
    return false;
  }
  ledger.read += 1;
  const list = async (reason: string) => {
    await ledger.list(placeOf(file, item), reason);
    return false;
  };
  if (item.kind === 'unmapped') return list(item.reason);
  const reason = reasonAgainst(item, asset, rules);
  if (reason !== null) return list(reason);
  if (!item.lastSeen && rules.observedAt === null) {
    await ledger.note(placeOf(file, item), 'has no time: set the observation time');
  }
  if (mayBeApplication) await noteHostName(asset!, placeOf(file, item), conversion);
  await spilled.addFinding(file, {
    ...item,
    asset: withoutUser(asset!),
    source: rules.source ?? item.source ?? format.source,
    lastSeen: item.lastSeen ?? rules.observedAt,
  });
  return true;
}

const ONE_ASSET = 'has dots, and names with the same part before the first dot are one asset';
const REMEDY =
  'Set the asset of a host to that part, otherwise to a name with a slash, such as acme/web; it applies to all assets of the report';

/**
 * The services `Acme.Web` and `Acme.Api` would be the host `acme` (R-ENT-3), and each report the whole of its findings.
 * @throws UnreadableReport if the report would replace assessments
 */
async function noteHostName(
  { name }: FoundAsset,
  place: Place,
  { ledger, rules, replaces }: Conversion,
): Promise<void> {
  if (rules.matching === 'fqdn' || !isFqdn(name)) return;
  // Errors quote nothing of a report, but what its sender set.
  const problem = `its asset name ${name === rules.asset ? `${name} ` : ''}${ONE_ASSET}`;
  if (replaces)
    throw new UnreadableReport(
      place.file,
      place.place,
      `${problem}: a replacing ZIP would retire findings of the others. ${REMEDY}`,
    );
  await ledger.note(place, `${problem}. ${REMEDY}`);
}

/** The URL of a repository, as a CI job clones it, has a token before its host. */
const withoutUser = (asset: FoundAsset): FoundAsset => ({
  ...asset,
  name: asset.name.replace(/^(\s*[a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1'),
});

const RANKS: SeverityLevel[] = ['info', 'low', 'medium', 'high', 'critical'];

function reasonAgainst(
  finding: Finding,
  asset: FoundAsset | null,
  { minSeverity }: ConversionRules,
): string | null {
  if (asset === null || /^\.*$/.test(asset.name.trim())) return 'names no asset: set the asset name';
  if (finding.name.trim() === '') return 'has no name';
  const { value, level } = finding.severity;
  const score = inRange(value);
  // As the service counts it: a value takes precedence over its level (R-SIG-7).
  const counted = score === null ? (level ?? 'medium') : severityLevelOf(score);
  return RANKS.indexOf(counted) < RANKS.indexOf(minSeverity)
    ? `below the minimum severity ${minSeverity}`
    : null;
}
