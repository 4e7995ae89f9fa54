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
  /** Part of all CVEs that have this probability or less, 0 to 1. */
  percentile: number;
  /** Day of the forecast, `2026-05-31`. */
  date: string;
  /** Version of the forecasting model, `v2025.03.14`. */
  model: string;
}

const HEADER = ['cve', 'epss', 'percentile'];
const COMMENT = '`#model_version:…,score_date:…`';

/**
 * The rows of EPSS files as FIRST publishes them, `epss_scores-YYYY-MM-DD.csv.gz`, packed or not: a file, or a directory
 * of them. Streamed; rows are to come into force only when all have been read.
 *
 * @throws CatalogueFileError at the first thing that is wrong: a header that differs, a row that is cut off, a
 * probability outside 0 to 1, a file without rows
 */
export async function* readEpss(path: string, options: ReadOptions = {}): AsyncGenerator<EpssRow> {
  for await (const file of catalogueFiles(path, options)) yield* readFile(file);
}

async function* readFile(file: CatalogueFile): AsyncGenerator<EpssRow> {
  const peeked = await peekFile({ ...file, content: () => endingWithNewline(file) });
  const { date, model } = readComment(file, peeked.start);
  // The comment has fewer columns than the rows, which slows the parser down: it is read apart.
  const rows = csvRows(peeked.file, '#');
  const header = (await rows.next()).value;
  if (header?.fields.join() !== HEADER.join()) {
    throw new CatalogueFileError(file.name, 'line 2', `the header must be \`${HEADER.join()}\``);
  }
  let count = 0;
  for await (const { line, fields } of rows) {
    yield { ...readRow(file, line, fields), date, model };
    count++;
  }
  if (count === 0) throw new CatalogueFileError(file.name, null, 'has no forecasts');
}

/** A plain file that was cut off mostly ends within a line, and a shorter number is a number too. */
async function* endingWithNewline(file: CatalogueFile): AsyncGenerator<Buffer> {
  let last: number | undefined;
  for await (const chunk of file.content()) {
    last = chunk.at(-1) ?? last;
    yield chunk;
  }
  if (last !== undefined && last !== 0x0a) {
    throw new CatalogueFileError(file.name, 'the last line', 'the file ends in the middle of a line');
  }
}

function readComment(file: CatalogueFile, start: string): { date: string; model: string } {
  const line = /^\uFEFF?(.*?)\r?\n/.exec(start)?.[1] ?? '';
  const [, model, date] = /^#model_version:([^\s,]+),score_date:(\d{4}-\d{2}-\d{2})(T|$)/.exec(line) ?? [];
  if (model === undefined || !isDay(date)) {
    throw new CatalogueFileError(file.name, 'line 1', `must be ${COMMENT}, as in FIRST's EPSS files`);
  }
  return { date, model };
}

function readRow(file: CatalogueFile, line: number, fields: string[]) {
  const refuse = (problem: string): never => {
    throw new CatalogueFileError(file.name, `line ${line}`, problem);
  };
  if (fields.length !== HEADER.length) refuse(`has ${fields.length} columns; ${HEADER.length} were expected`);
  const [cve, epss, percentile] = fields;
  if (!isCveId(cve)) return refuse('does not begin with a CVE id');
  const inUnit = (name: string, text: string | undefined): number => {
    const value = text?.trim() ? Number(text) : Number.NaN;
    return value >= 0 && value <= 1 ? value : refuse(`${name} of ${cve} must be a number from 0 to 1`);
  };
  return { cve, probability: inUnit('epss', epss), percentile: inUnit('percentile', percentile) };
}
