import { CatalogueFileError } from '#libs/catalogue';
import type { ReadRow } from '#libs/catalogue-store';

/** CTID maps about a thousand. */
const MAPPINGS_MAX = 500_000;

/**
 * One row for each CVE, in the order of ids, with the sorted techniques of all its rows.
 * @throws CatalogueFileError if there are more than anyone has mapped
 */
export async function* unitedMappings(rows: AsyncIterable<ReadRow<'ctid'>>): AsyncGenerator<ReadRow<'ctid'>> {
  const techniques = new Map<string, Set<string>>();
  let count = 0;
  for await (const { cve, value } of rows) {
    count += value.techniques.length;
    if (count > MAPPINGS_MAX) throw new CatalogueFileError('the files', null, TOO_MANY);
    const known = techniques.get(cve) ?? new Set();
    techniques.set(cve, known);
    for (const technique of value.techniques) known.add(technique);
  }
  for (const cve of [...techniques.keys()].sort()) {
    yield { cve, value: { techniques: [...techniques.get(cve)!].sort() } };
  }
}

const TOO_MANY = `have more than ${MAPPINGS_MAX} mappings`;
