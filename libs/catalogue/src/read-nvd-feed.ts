import { isCveId, isObject } from './checks.ts';
import { type CveState, type CveStateRow, DISPUTED_TAG } from './cve-state.ts';
import type { CatalogueFile } from './files/catalogue-file.ts';
import { CatalogueFileError } from './files/catalogue-file-error.ts';
import { jsonValues } from './files/json-values.ts';

const LIST = 'vulnerabilities';
const FORMAT = 'NVD_CVE';

/** Values of NVD's `vulnStatus` that are a state of the id and not of NVD's analysis. */
const STATE_OF_STATUS = new Map<string, CveState>([
  ['rejected', 'REJECTED'],
  ['disputed', 'DISPUTED'],
]);

/**
 * The states of CVEs from a feed, or a page of the API, in the NVD JSON 2.0 format, as they come. A `vulnStatus`
 * Rejected or Disputed says so, and so does the tag `disputed`; every other status is one of NVD's analysis: PUBLISHED.
 *
 * @throws CatalogueFileError if the file is of another format, a record lacks id or status, or the number of records
 * is not the `resultsPerPage` that the file says
 */
export async function* readNvdFeed(file: CatalogueFile): AsyncGenerator<CveStateRow> {
  const said: Record<string, unknown> = {};
  let count = 0;
  for await (const { member, index, value } of jsonValues(file, LIST, ['format', 'resultsPerPage'])) {
    if (index === null) said[member] = value;
    else {
      yield readRecord(file, index, value);
      count++;
    }
  }
  if (said.format !== FORMAT) {
    throw new CatalogueFileError(file.name, null, `\`format\` must be ${FORMAT}, as in NVD JSON 2.0`);
  }
  if (said.resultsPerPage !== count) {
    const stated = `states ${JSON.stringify(said.resultsPerPage) ?? 'no'} records`;
    throw new CatalogueFileError(file.name, null, `${stated}, but has ${count}`);
  }
}

function readRecord(file: CatalogueFile, index: number, value: unknown): CveStateRow {
  const refuse = (problem: string): never => {
    throw new CatalogueFileError(file.name, `${LIST}[${index}]`, problem);
  };
  const cve = isObject(value) && isObject(value.cve) ? value.cve : refuse('must have an object `cve`');
  const { id, vulnStatus, lastModified } = cve;
  if (!isCveId(id)) return refuse('`cve.id` must be a CVE id');
  if (typeof vulnStatus !== 'string') return refuse(`\`cve.vulnStatus\` of ${id} must be a text`);
  return {
    cve: id,
    state: STATE_OF_STATUS.get(vulnStatus.toLowerCase()) ?? (isDisputed(cve) ? 'DISPUTED' : 'PUBLISHED'),
    updatedAt: typeof lastModified === 'string' ? lastModified : null,
  };
}

const isDisputed = ({ cveTags }: Record<string, unknown>): boolean =>
  Array.isArray(cveTags) &&
  cveTags.some((given) => isObject(given) && Array.isArray(given.tags) && given.tags.includes(DISPUTED_TAG));
