import { isCveId, isObject, isTechniqueId } from './checks.ts';
import type { CatalogueFile, ReadOptions } from './files/catalogue-file.ts';
import { CatalogueFileError } from './files/catalogue-file-error.ts';
import { catalogueFiles } from './files/catalogue-files.ts';
import { csvRows } from './files/csv-rows.ts';
import { jsonValues } from './files/json-values.ts';
import { peekFile } from './files/peek-file.ts';

/** A technique by which a CVE is exploited, as the Center for Threat-Informed Defense (CTID) maps it. */
export interface CtidRow {
  cve: string;
  technique: string;
}

const LIST = 'mapping_objects';
const COLUMNS = ['capability_id', 'attack_object_id', 'mapping_type'] as const;
/** The other types state what an attacker gains by the CVE. */
const EXPLOITATION = 'exploitation_technique';

/**
 * The exploitation techniques of CVEs from files of CTID's Mappings Explorer, JSON or CSV: which of both is detected
 * from the content. In a directory, each `.json` and `.csv` file is one. Streamed. A CVE can have several rows.
 *
 * @throws CatalogueFileError if a file is in another format, maps something else than CVEs, or has no exploitation
 * techniques
 */
export async function* readCtid(path: string, options: ReadOptions = {}): AsyncGenerator<CtidRow> {
  let files = 0;
  for await (const file of catalogueFiles(path, options)) {
    if (file.name !== path && !/\.(json|csv)(\.gz)?$/.test(file.baseName)) continue;
    const peeked = await peekFile(file);
    const isJson = /^\uFEFF?\s*[[{]/.test(peeked.start);
    let count = 0;
    for await (const row of isJson ? readJson(peeked.file) : readCsv(peeked.file)) {
      yield row;
      count += 1;
    }
    if (count === 0) {
      throw new CatalogueFileError(file.name, null, `has no \`${LIST}\` with exploitation techniques`);
    }
    files += 1;
  }
  if (files === 0) throw new CatalogueFileError(path, null, 'has no mappings of CVEs');
}

async function* readJson(file: CatalogueFile): AsyncGenerator<CtidRow> {
  for await (const { index, value } of jsonValues(file, LIST, [])) {
    yield* readMapping(file, `${LIST}[${index}]`, isObject(value) ? value : {});
  }
}

async function* readCsv(file: CatalogueFile): AsyncGenerator<CtidRow> {
  const rows = csvRows(file);
  const header: string[] = (await rows.next()).value?.fields ?? [];
  if (!COLUMNS.every((name) => header.includes(name))) {
    const wanted = COLUMNS.map((name) => `\`${name}\``).join(', ');
    throw new CatalogueFileError(file.name, 'line 1', `the header must have the columns ${wanted}`);
  }
  for await (const { line, fields } of rows) {
    if (fields.length !== header.length) {
      const problem = `has ${fields.length} columns; ${header.length} were expected`;
      throw new CatalogueFileError(file.name, `line ${line}`, problem);
    }
    yield* readMapping(file, `line ${line}`, Object.fromEntries(header.map((name, i) => [name, fields[i]])));
  }
}

function readMapping(file: CatalogueFile, place: string, mapping: Record<string, unknown>): CtidRow[] {
  const { capability_id: cve, attack_object_id: technique, mapping_type: type } = mapping;
  if (!isCveId(cve)) {
    throw new CatalogueFileError(
      file.name,
      place,
      '`capability_id` must be a CVE id, as in a mapping of CVEs',
    );
  }
  if (type !== EXPLOITATION) return [];
  if (!isTechniqueId(technique)) {
    const problem = `\`attack_object_id\` of ${cve} must be the id of an ATT&CK technique`;
    throw new CatalogueFileError(file.name, place, problem);
  }
  return [{ cve, technique }];
}
