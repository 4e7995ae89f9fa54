import { isCveId, isDay } from './checks.ts';
import type { CatalogueFile, ReadOptions } from './files/catalogue-file.ts';
import { CatalogueFileError } from './files/catalogue-file-error.ts';
import { catalogueFiles } from './files/catalogue-files.ts';
import { csvRows } from './files/csv-rows.ts';
import { peekFile } from './files/peek-file.ts';

/** A forecast of the Exploit Prediction Scoring System. */
export interface EpssRow {
  cve: string;
  /** Probability of exploitation in the next 30 days, 0 to 1. */
  probability: number;
  /** Part of all CVEs that have this probability or less, 0 to 1; null in the oldest files. */
  percentile: number | null;
  /** Day of the forecast, `2026-05-31`. */
  date: string;
  /** Version of the forecasting model, `v2025.03.14`; null if the file does not say. */
  model: string | null;
}

export interface EpssOptions extends ReadOptions {
  /** Day of the forecasts, if neither the comment nor the name of the file says it. */
  day?: string | null;
}

const HEADER = ['cve', 'epss', 'percentile'];
const COLUMNS_MIN = 2;
const COMMENT = '`#model_version:…,score_date:…`';
const FILE_NAME = /^epss_scores-(\d{4}-\d{2}-\d{2})\./;

/**
 * The rows of EPSS files as FIRST publishes them, `epss_scores-YYYY-MM-DD.csv.gz`, packed or not: a file, or a directory
 * of them. Files from before 2022 have no comment in the first line, and the oldest no percentiles. Streamed; rows must
 * come into force only when all have been read.
 *
 * @throws CatalogueFileError at the first thing that is wrong: a header that differs, a row that is cut off, a
 * probability outside 0 to 1, a file or a directory without rows, a file whose day is unknown
 */
export async function* readEpss(path: string, options: EpssOptions = {}): AsyncGenerator<EpssRow> {
  let files = 0;
  for await (const file of catalogueFiles(path, options)) {
    yield* readFile(file, options.day ?? null);
    files++;
  }
  if (files === 0) throw new CatalogueFileError(path, null, 'has no forecasts');
}

async function* readFile(file: CatalogueFile, day: string | null): AsyncGenerator<EpssRow> {
  const peeked = await peekFile(file);
  const { date, model } = readComment(file, peeked.start) ?? { date: dayOf(file, day), model: null };
  // The comment has fewer columns than the rows, which slows the parser down: it is read apart.
  const rows = csvRows(peeked.file, '#');
  const { line: headerLine = 1, fields: header = [] } = (await rows.next()).value ?? {};
  if (header.length < COLUMNS_MIN || header.some((name: string, i: number) => name !== HEADER[i])) {
    const problem = `the header must be \`${HEADER.join()}\``;
    throw new CatalogueFileError(file.name, `line ${headerLine}`, problem);
  }
  let count = 0;
  for await (const { line, fields } of rows) {
    yield { ...readRow(file, line, fields, header.length), date, model };
    count++;
  }
  if (count === 0) throw new CatalogueFileError(file.name, null, 'has no forecasts');
}

/** Null if the file begins with its header. */
function readComment(file: CatalogueFile, start: string): { date: string; model: string } | null {
  const line = /^\uFEFF?(.*?)\r?\n/.exec(start)?.[1] ?? '';
  if (/^"?cve"?,/.test(line)) return null;
  const [, model, date] = /^#model_version:([^\s,]+),score_date:(\d{4}-\d{2}-\d{2})(T|$)/.exec(line) ?? [];
  if (model === undefined || !isDay(date)) {
    throw new CatalogueFileError(file.name, 'line 1', `must be ${COMMENT}, as in FIRST's EPSS files`);
  }
  return { date, model };
}

function dayOf(file: CatalogueFile, day: string | null): string {
  const named = FILE_NAME.exec(file.baseName)?.[1];
  if (isDay(named)) return named;
  if (day !== null) return day;
  const problem = `must be ${COMMENT} unless the file is named epss_scores-YYYY-MM-DD.csv or the day is given`;
  throw new CatalogueFileError(file.name, 'line 1', problem);
}

function readRow(file: CatalogueFile, line: number, fields: string[], columns: number) {
  const refuse = (problem: string): never => {
    throw new CatalogueFileError(file.name, `line ${line}`, problem);
  };
  if (fields.length !== columns) refuse(`has ${fields.length} columns; ${columns} were expected`);
  const [cve, epss, percentile] = fields;
  if (!isCveId(cve)) return refuse('does not begin with a CVE id');
  const inUnit = (name: string, text: string | undefined): number => {
    const value = text?.trim() ? Number(text) : Number.NaN;
    return value >= 0 && value <= 1 ? value : refuse(`${name} of ${cve} must be a number from 0 to 1`);
  };
  return {
    cve,
    probability: inUnit('epss', epss),
    percentile: columns === HEADER.length ? inUnit('percentile', percentile) : null,
  };
}
