import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  attackBundle,
  CTID_CSV,
  ctidMappings,
  kevCatalog,
} from '../../../test/fixtures/catalogue/samples.ts';
import { all, TemporaryFiles } from '../../../test/fixtures/catalogue/temporary-files.ts';
import { CatalogueFileError } from './files/catalogue-file-error.ts';
import { readCtid } from './read-ctid.ts';

let files: TemporaryFiles;
beforeEach(async () => {
  files = await TemporaryFiles.create();
});
afterEach(() => files.remove());

const read = async (content: string | Buffer, name = 'kev_attack-16.1') =>
  (await all(readCtid(await files.write(name, content)))).map(({ cve, technique }) => `${cve} ${technique}`);
const json = (change: (mappings: ReturnType<typeof ctidMappings>) => void = () => {}) => {
  const mappings = ctidMappings();
  change(mappings);
  return JSON.stringify(mappings, null, 2);
};
const ROWS = ['CVE-2024-10001 T1190', 'CVE-2024-10001 T1078', 'CVE-2024-10002 T1204.002'];

describe('the mapping of CVEs to techniques (R-CAT-1)', () => {
  it.each([
    ['JSON', json()],
    ['JSON in one line', JSON.stringify(ctidMappings())],
    ['JSON with a byte order mark', `\uFEFF${json()}`],
    ['packed JSON', gzipSync(json())],
    ['CSV', CTID_CSV],
    ['CSV with a byte order mark', `\uFEFF${CTID_CSV}`],
    ['CSV with CRLF', CTID_CSV.replaceAll('\n', '\r\n')],
  ])('is read as %s: exploitation techniques only', async (_, content) => {
    expect(await read(content)).toEqual(ROWS);
  });

  it('is read from a directory, without other files', async () => {
    await files.write('kev/enterprise.json', json());
    await files.write('kev/mobile.csv', CTID_CSV);
    await files.write('kev/README.md', '# KEV');
    expect(await all(readCtid(`${files.path}/kev`))).toHaveLength(6);
  });

  it('leaves out what ATT&CK has no technique for', async () => {
    const content = json(({ mapping_objects: [first] }) =>
      Object.assign(first!, { mapping_type: 'non_mappable', attack_object_id: null }),
    );
    expect(await read(content)).toEqual(ROWS.slice(1));
  });

  const damaged: [name: string, content: string, problem: RegExp][] = [
    ['JSON that is cut off', json().slice(0, -20), /the file ends in the middle of its JSON/],
    ['no mappings', '{"metadata":{}}', /has no `mapping_objects`/],
    [
      'no exploitation techniques',
      json((given) => given.mapping_objects.splice(0, 4)),
      /has no `mapping_objects`/,
    ],
    ['the KEV catalogue', JSON.stringify(kevCatalog()), /has no `mapping_objects`/],
    ['a STIX bundle', JSON.stringify(attackBundle()), /has no `mapping_objects`/],
    ['an array', '[1, 2]', /has no `mapping_objects`/],
    [
      'a mapping of controls',
      json(({ mapping_objects: [first] }) => Object.assign(first!, { capability_id: 'AC-1' })),
      /mapping_objects\[0\]: `capability_id` must be a CVE id/,
    ],
    [
      'an id that is no technique',
      json(({ mapping_objects: [, , third] }) => Object.assign(third!, { attack_object_id: 'TA0001' })),
      /mapping_objects\[2\]: `attack_object_id` of CVE-2024-10001 must be/,
    ],
    [
      'an element that is no object',
      json((given) => given.mapping_objects.push(7 as never)),
      /\[5\]: `capability/,
    ],
    ['CSV with another header', CTID_CSV.replace('capability_id', 'id'), /line 1: the header must have/],
    ['CSV with a column too few', CTID_CSV.replace('Other,', ''), /line 2: has 15 columns; 16 were expected/],
    ['CSV that is cut off', CTID_CSV.slice(0, -60), /ends in the middle of a line/],
    ['CSV that is cut off within its last column', CTID_CSV.slice(0, -3), /ends in the middle of a line/],
    ['CSV of a header alone', `${CTID_CSV.split('\n')[0]}\n`, /has no `mapping_objects`/],
    ['an empty file', '', /line 1: the header/],
  ];

  it.each(damaged)('is rejected with the place: %s', async (_, content, problem) => {
    const reading = read(content);
    await expect(reading).rejects.toThrow(CatalogueFileError);
    await expect(reading).rejects.toThrow(problem);
    await expect(reading).rejects.toThrow(/kev_attack-16\.1/);
  });

  it('is rejected if a directory has none', async () => {
    await files.write('README.md', '# KEV');
    await expect(all(readCtid(files.path))).rejects.toThrow(/has no mappings of CVEs/);
  });
});
