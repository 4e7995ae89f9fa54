import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CatalogueFileError } from './files/catalogue-file-error.ts';
import { readKev } from './read-kev.ts';
import { KEV_CSV, kevCatalog } from './testing/samples.ts';
import { all, TemporaryFiles } from './testing/temporary-files.ts';

let files: TemporaryFiles;
beforeEach(async () => {
  files = await TemporaryFiles.create();
});
afterEach(() => files.remove());

const read = async (content: string, name = 'known_exploited_vulnerabilities') =>
  all(readKev(await files.write(name, content)));
const json = (change: (catalog: ReturnType<typeof kevCatalog>) => void = () => {}) => {
  const catalog = kevCatalog();
  change(catalog);
  return JSON.stringify(catalog, null, 4);
};

describe('the KEV catalogue (D24)', () => {
  it.each([
    ['JSON', json()],
    ['JSON in one line', JSON.stringify(kevCatalog())],
    ['JSON with a byte order mark', `\uFEFF${json()}`],
    ['CSV', KEV_CSV],
    ['CSV with a byte order mark', `\uFEFF${KEV_CSV}`],
    ['CSV without a last line end', KEV_CSV.trimEnd()],
  ])('is read as %s, with the same rows', async (_, content) => {
    expect(await read(content)).toEqual([
      {
        cve: 'CVE-2024-10002',
        dateAdded: '2026-01-15',
        name: 'Acme Gate Command Injection Vulnerability',
        isUsedByRansomware: true,
      },
      {
        cve: 'CVE-2023-10009',
        dateAdded: '2025-11-03',
        name: 'Acme Mail Deserialization Vulnerability',
        isUsedByRansomware: false,
      },
    ]);
  });

  const damaged: [name: string, content: string, problem: RegExp][] = [
    ['JSON that is cut off', json().slice(0, -40), /byte \d+: the file ends in the middle of its JSON/],
    ['JSON that is cut off after an entry', json().slice(0, json().indexOf('},') + 1), /in the middle/],
    ['JSON with a stray letter', json().replace('"count"', 'x"count"'), /byte \d+: is no valid JSON/],
    ['JSON and something after it', `${json()}{}`, /no valid JSON/],
    [
      'an entry too few',
      json((catalog) => catalog.vulnerabilities.pop()),
      /says that it has 2 .*, and has 1/,
    ],
    [
      'no entries',
      json((catalog) => Object.assign(catalog, { vulnerabilities: [], count: 0 })),
      /has no vuln/,
    ],
    ['no list', json((catalog) => Object.assign(catalog, { vulnerabilities: {}, count: 0 })), /has no vuln/],
    [
      'an entry that is no object',
      json((catalog) => catalog.vulnerabilities.splice(1, 1, 7 as never)),
      /\[1\]: `cveID`/,
    ],
    [
      'an id that is none',
      json((catalog) => Object.assign(catalog.vulnerabilities[1]!, { cveID: 'CVE-1' })),
      /vulnerabilities\[1\]: `cveID` must/,
    ],
    [
      'a day that is none',
      json((catalog) => Object.assign(catalog.vulnerabilities[0]!, { dateAdded: '15.1.2026' })),
      /vulnerabilities\[0\]: `dateAdded` of CVE-2024-10002/,
    ],
    [
      'a day of a 13th month',
      json((catalog) => Object.assign(catalog.vulnerabilities[0]!, { dateAdded: '2026-13-01' })),
      /vulnerabilities\[0\]: `dateAdded` of CVE-2024-10002/,
    ],
    ['CSV with another header', KEV_CSV.replace('cveID', 'cve'), /line 1: the header must have/],
    ['CSV that is cut off', KEV_CSV.slice(0, -80), /line \d+: has \d+ columns; 11 were expected/],
    [
      'CSV with an impossible day',
      KEV_CSV.replace('2025-11-03', '2025-11-31'),
      /line 4: `dateAdded` of CVE-2023-10009/,
    ],
    ['CSV of a header alone', `${KEV_CSV.split('\n')[0]}\n`, /has no vulnerabilities/],
    ['an empty file', '', /line 1: the header/],
  ];

  it.each(damaged)('is refused with the place: %s', async (_, content, problem) => {
    const reading = read(content);
    await expect(reading).rejects.toThrow(CatalogueFileError);
    await expect(reading).rejects.toThrow(problem);
    await expect(reading).rejects.toThrow(/known_exploited_vulnerabilities/);
  });
});
