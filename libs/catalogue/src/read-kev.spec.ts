import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KEV_CSV, kevCatalog } from '../../../test/fixtures/catalogue/samples.ts';
import { all, TemporaryFiles } from '../../../test/fixtures/catalogue/temporary-files.ts';
import { CatalogueFileError } from './files/catalogue-file-error.ts';
import { readKev } from './read-kev.ts';

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

describe('the KEV catalogue (R-CAT-1)', () => {
  it.each([
    ['JSON', json()],
    ['JSON in one line', JSON.stringify(kevCatalog())],
    ['JSON with a byte order mark', `\uFEFF${json()}`],
    ['CSV', KEV_CSV],
    ['CSV with a byte order mark', `\uFEFF${KEV_CSV}`],
  ])('is read as %s, with the same rows', async (_, content) => {
    expect(await read(content)).toEqual([
      {
        cve: 'CVE-2024-10002',
        dateAdded: '2026-01-15',
        name: 'Acme Gate Command Injection Vulnerability',
        isUsedByRansomware: true,
        dueDate: '2026-02-05',
      },
      {
        cve: 'CVE-2023-10009',
        dateAdded: '2025-11-03',
        name: 'Acme Mail Deserialization Vulnerability',
        isUsedByRansomware: false,
        dueDate: '2025-11-24',
      },
    ]);
  });

  it.each([
    ['Known', true],
    [' known ', true],
    ['Unknown', false],
    ['', false],
    [undefined, false],
    [7, false],
  ])('%j as ransomware use is %s', async (use, isUsedByRansomware) => {
    const content = json(({ vulnerabilities: [first] }) =>
      Object.assign(first!, { knownRansomwareCampaignUse: use }),
    );
    expect((await read(content))[0]).toMatchObject({ isUsedByRansomware });
  });

  it('is read without due dates', async () => {
    const content = json(({ vulnerabilities: [first, second] }) => {
      Object.assign(first!, { dueDate: undefined });
      Object.assign(second!, { dueDate: '' });
    });
    expect(await read(content)).toMatchObject([{ dueDate: null }, { dueDate: null }]);
  });

  const damaged: [name: string, content: string, problem: RegExp][] = [
    ['JSON that is cut off', json().slice(0, -40), /byte \d+: the file ends in the middle of its JSON/],
    ['JSON that is cut off after an entry', json().slice(0, json().indexOf('},') + 1), /in the middle/],
    ['JSON with a stray letter', json().replace('"count"', 'x"count"'), /byte \d+: is not valid JSON/],
    ['JSON and something after it', `${json()}{}`, /not valid JSON/],
    ['an entry too few', json((catalog) => catalog.vulnerabilities.pop()), /states 2 .*, but has 1/],
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
    [
      'a due date that is none',
      json((catalog) => Object.assign(catalog.vulnerabilities[1]!, { dueDate: 'soon' })),
      /vulnerabilities\[1\]: `dueDate` of CVE-2023-10009 must be a day/,
    ],
    ['CSV with another header', KEV_CSV.replace('cveID', 'cve'), /line 1: the header must have/],
    ['CSV with a column too few', KEV_CSV.replace('Acme,', ''), /line \d+: has 10 columns; 11 were expected/],
    ['CSV that is cut off', KEV_CSV.slice(0, -80), /ends in the middle of a line/],
    [
      'CSV that is cut off within its last column',
      KEV_CSV.slice(0, KEV_CSV.indexOf('CWE-77') + 5),
      /ends in the middle of a line/,
    ],
    [
      'CSV with an impossible day',
      KEV_CSV.replace('2025-11-03', '2025-11-31'),
      /line 4: `dateAdded` of CVE-2023-10009/,
    ],
    ['CSV of a header alone', `${KEV_CSV.split('\n')[0]}\n`, /has no vulnerabilities/],
    ['an empty file', '', /line 1: the header/],
  ];

  it.each(damaged)('is rejected with the place: %s', async (_, content, problem) => {
    const reading = read(content);
    await expect(reading).rejects.toThrow(CatalogueFileError);
    await expect(reading).rejects.toThrow(problem);
    await expect(reading).rejects.toThrow(/known_exploited_vulnerabilities/);
  });

  it('is rejected if a directory has none', async () => {
    await files.write('.git/README.md', '# KEV');
    await expect(all(readKev(files.path))).rejects.toThrow(/has no vulnerabilities/);
  });

  it('is read from a directory of symbolic links, as Kubernetes mounts volumes', async () => {
    await files.write('..2026_05_30/kev.csv', KEV_CSV);
    await symlink('..2026_05_30', join(files.path, '..data'));
    await symlink('..data/kev.csv', join(files.path, 'kev.csv'));
    expect(await all(readKev(files.path))).toHaveLength(2);
    await symlink('..data', join(files.path, 'lists'));
    await expect(all(readKev(files.path))).rejects.toThrow(/lists: must be a file, a link to a file/);
  });
});
