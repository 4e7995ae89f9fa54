import { storable, storableText } from '#libs/contracts';
import type { FindingType, Settings } from '#libs/domain';
import {
  type ConversionRules,
  type Count,
  convertReports,
  formatNamed,
  knownFormats,
  Ledger,
  NothingMapped,
  openInput,
  TooManySignals,
  UnknownFormat,
  UnreadableReport,
  zipEntryOf,
} from '#libs/reports';
import { writeZip } from '#libs/signal-zips';
import { LISTED_MAX, SIGNALS_MAX, SPILLED_BYTES_MAX } from './report-limits.ts';

/** A report as it is sent to the worker. */
export interface ReportTask {
  path: string;
  /** An empty one for temporary files. */
  folder: string;
  mapFolder: string | undefined;
  /** Name of the format; null: recognised from the file. */
  format: string | null;
  rules: ConversionRules;
  replace: FindingType[];
  allowEmpty: boolean;
  service: { receivedAt: number; settings: Settings };
}

/** A finding of the report that becomes no signal. */
export interface ListedFinding {
  place: string;
  name: string;
  reason: string;
}

/** Outcome of a conversion: `read` is `mapped` and `listed` together. */
export interface ReportOutcome {
  format: string;
  read: number;
  mapped: number;
  /** Number of listed findings by reason, most often first; the first 100 reasons. */
  listed: Record<string, number>;
  repeated: number;
  assets: number;
  signals: number;
  /** The first 100 of the listed. */
  listedFindings: ListedFinding[];
  /** What is mapped only in part, with numbers of findings, most often first; the first 100. */
  notes: Record<string, number>;
}

/** Errors keep no class between threads: a refusal travels as a value. `zip` is null if there are no signals. */
export type ReportResult =
  | { outcome: ReportOutcome; zip: Uint8Array<ArrayBuffer> | null }
  | { refused: string; isTooLarge: boolean };

/**
 * Converts a report to one ZIP of signals. Texts of the report are stored and answered as those of other bodies: without
 * the marks of sealed texts, which the answer would open (ADR-0078).
 */
export async function convertReport(task: ReportTask): Promise<ReportResult> {
  try {
    return await convert(task);
  } catch (error) {
    if (error instanceof TooManySignals) return { refused: TOO_MANY, isTooLarge: true };
    if (error instanceof UnreadableReport || error instanceof UnknownFormat)
      return { refused: storableText(sentence(error)), isTooLarge: false };
    throw error;
  }
}

const TOO_MANY =
  'the report has more signals than one upload takes (16 MB compressed, 199 MB in all, 99,999 signals): convert it with ' +
  'posture convert and send the ZIPs';

function sentence(error: Error): string {
  if (error instanceof NothingMapped) return `${error.message} (allowEmpty=true allows it)`;
  if (!(error instanceof UnknownFormat)) return error.message;
  return error.candidates.length === 0
    ? `${error.message}: set format (GET /api/v3/reports/formats lists all)`
    : `${error.message}: set format to one of them`;
}

async function convert({
  path,
  folder,
  mapFolder,
  format,
  rules,
  ...task
}: ReportTask): Promise<ReportResult> {
  const formats = knownFormats(mapFolder);
  const given = format === null ? undefined : formatNamed(format, formats);
  const input = await openInput(path, 'the report', given, formats);
  const listedFindings: ListedFinding[] = [];
  const ledger = new Ledger({
    add: async (what, { place, name }, reason) => {
      if (what === 'not mapped' && listedFindings.length < LISTED_MAX)
        listedFindings.push({ place, name, reason });
    },
  });
  const replaces = task.replace.length > 0;
  const config = replaces ? Buffer.from(JSON.stringify({ fullAssessmentForTypes: task.replace })) : null;
  let zip: Buffer | null = null;
  const packed = await convertReports([input], {
    rules,
    ledger,
    folder,
    replaces,
    mayBeEmpty: task.allowEmpty,
    rejectsOversized: true,
    service: task.service,
    limits: SIGNALS_MAX,
    spilledBytesMax: SPILLED_BYTES_MAX,
    write: async (entries) => {
      if (zip !== null) throw new TooManySignals();
      zip = await writeZip(entries.map(zipEntryOf), config, SIGNALS_MAX.zipBytesMax * 2);
    },
  });
  const { read, mapped, repeated, notMapped, notes } = ledger;
  const outcome = {
    format: input.format.name,
    read,
    mapped,
    listed: byText(notMapped),
    repeated,
    ...packed,
    listedFindings,
    notes: byText(notes),
  };
  return { outcome: storable(outcome) as ReportOutcome, zip: zip === null ? null : new Uint8Array(zip) };
}

const byText = (counts: Count[]): Record<string, number> =>
  Object.fromEntries(counts.slice(0, LISTED_MAX).map(({ text, count }) => [text, count]));
