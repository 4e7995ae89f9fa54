import { isCveId, isDay, isObject } from './checks.ts';
import type { CatalogueFile, ReadOptions } from './files/catalogue-file.ts';
import { CatalogueFileError } from './files/catalogue-file-error.ts';
import { catalogueFiles } from './files/catalogue-files.ts';
import { csvRows } from './files/csv-rows.ts';
import { jsonValues } from './files/json-values.ts';
import { peekFile } from './files/peek-file.ts';

/** An entry of CISA's catalogue of Known Exploited Vulnerabilities. */
export interface KevRow {
  cve: string;
  /** `2026-05-31` */
  dateAdded: string;
  /** Null if the catalogue leaves it out. */
  name: string | null;
  /** Known to be used by ransomware campaigns; false if that is not known. */
  isUsedByRansomware: boolean;
  /** Day by which CISA requires a remedy, `2026-06-14`; null if the catalogue leaves it out. */
  dueDate: string | null;
}

const LIST = 'vulnerabilities';

/**
 * The rows of the KEV catalogue as CISA publishes it, `known_exploited_vulnerabilities.json` or `.csv`: which of both is
 * detected from the content. Streamed; rows must come into force only when all have been read.
 *
 * @throws CatalogueFileError at the first thing that is wrong: a missing column, an id or a day that is none, another
 * number of entries than the file says, a file or a directory without entries
 */
export async function* readKev(path: string, options: ReadOptions = {}): AsyncGenerator<KevRow> {
  let files = 0;
  for await (const file of catalogueFiles(path, options)) {
    files++;
    const peeked = await peekFile(file);
    const isJson = /^\uFEFF?\s*\{/.test(peeked.start);
    let count = 0;
    for await (const row of isJson ? readJson(peeked.file) : readCsv(peeked.file)) {
      yield row;
      count++;
    }
    if (count === 0) throw new CatalogueFileError(file.name, null, 'has no vulnerabilities');
  }
  if (files === 0) throw new CatalogueFileError(path, null, 'has no vulnerabilities');
}

async function* readJson(file: CatalogueFile): AsyncGenerator<KevRow> {
  let count = 0;
  let stated: unknown;
  for await (const { index, value } of jsonValues(file, LIST, ['count'])) {
    if (index === null) stated = value;
    else {
      yield readEntry(file, `${LIST}[${index}]`, isObject(value) ? value : {});
      count++;
    }
  }
  if (stated !== undefined && stated !== count) {
    throw new CatalogueFileError(file.name, null, `states ${stated} vulnerabilities, but has ${count}`);
  }
}

async function* readCsv(file: CatalogueFile): AsyncGenerator<KevRow> {
  const rows = csvRows(file);
  const header: string[] = (await rows.next()).value?.fields ?? [];
  if (!header.includes('cveID') || !header.includes('dateAdded')) {
    throw new CatalogueFileError(
      file.name,
      'line 1',
      'the header must have the columns `cveID` and `dateAdded`',
    );
  }
  for await (const { line, fields } of rows) {
    if (fields.length !== header.length) {
      const problem = `has ${fields.length} columns; ${header.length} were expected`;
      throw new CatalogueFileError(file.name, `line ${line}`, problem);
    }
    const entry = Object.fromEntries(header.map((name, i) => [name, fields[i]]));
    yield readEntry(file, `line ${line}`, entry);
  }
}

function readEntry(file: CatalogueFile, place: string, entry: Record<string, unknown>): KevRow {
  const { cveID, dateAdded, vulnerabilityName, knownRansomwareCampaignUse, dueDate = '' } = entry;
  if (!isCveId(cveID)) throw new CatalogueFileError(file.name, place, '`cveID` must be a CVE id');
  if (!isDay(dateAdded)) {
    throw new CatalogueFileError(file.name, place, `\`dateAdded\` of ${cveID} must be a day, YYYY-MM-DD`);
  }
  if (dueDate !== '' && !isDay(dueDate)) {
    throw new CatalogueFileError(file.name, place, `\`dueDate\` of ${cveID} must be a day, YYYY-MM-DD`);
  }
  return {
    cve: cveID,
    dateAdded,
    name: typeof vulnerabilityName === 'string' ? vulnerabilityName : null,
    isUsedByRansomware: isKnown(knownRansomwareCampaignUse),
    dueDate: dueDate || null,
  };
}

/** CISA writes `Known` or `Unknown`, and names no fixed set of values. */
const isKnown = (value: unknown): boolean =>
  typeof value === 'string' && value.trim().toLowerCase() === 'known';
