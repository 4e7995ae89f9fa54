import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projectFile } from '#libs/project-files';
import { FIXTURES } from '../../../../test/fixtures/convert/reports.ts';
import { readMapFile } from './map-file.ts';
import { shippedMaps } from './map-folder.ts';
import { WrongMap } from './wrong-map.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-map-file-'));
});
afterAll(() => rm(dir, { recursive: true }));

const MAP = {
  name: 'sample',
  title: 'Sample tool (JSON)',
  unit: 'a result',
  source: 'Sample',
  kind: 'json',
  forms: [{ marks: ['$.tool=sample'], records: [{ list: '$.results[]' }] }],
  finding: { type: 'va', name: '{title}' },
};

/** Error lines for a map file, without its folder. */
async function errorsOf(content: unknown): Promise<string[]> {
  const path = join(dir, 'sample.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  try {
    readMapFile(path);
    return ['accepted'];
  } catch (error) {
    const { message, details } = error as WrongMap;
    expect(error).toBeInstanceOf(WrongMap);
    return [message, ...details].map((line) => line.replaceAll(`${dir}/`, ''));
  }
}

describe('a map file', () => {
  it('is a format', async () => {
    expect(await errorsOf(MAP)).toEqual(['accepted']);
  });

  it.each<[string, unknown, string[]]>([
    [
      'no JSON',
      '{\n  "name": sample\n}',
      ['sample.json, line 2, column 11: not a JSON value: put strings in double quotes'],
    ],
    ['empty', '', ['sample.json, is empty: send JSON']],
    ['a missing member', { ...MAP, finding: { type: 'va' } }, ['sample.json, line 19: finding has no name']],
    [
      'an unknown member',
      { ...MAP, finding: { ...MAP.finding, nmae: 'x' } },
      ['sample.json, line 19: finding has an unknown member "nmae": known are type, subType, name, '],
    ],
    [
      'a wrong kind',
      { ...MAP, kind: 'yaml' },
      ['sample.json, line 6: kind must be one of json, jsonLines, csv, xml'],
    ],
    ['no object', '[]', ['sample.json, line 1: the map must be object']],
    [
      'a wrong path',
      { ...MAP, finding: { type: 'va', name: ['{title}', '{a..b}'] } },
      ['sample.json, line 23: finding.name[1] has no valid path in {a..b}'],
    ],
    [
      'a single brace',
      { ...MAP, finding: { type: 'va', name: '{title' } },
      ['sample.json, line 21: finding.name has a single {: write {{ for a brace'],
    ],
    [
      'a path from the document where a list of the record is expected',
      { ...MAP, forms: [{ marks: ['$.tool'], records: [{ list: '$.results[]', each: ['$.a[]'] }] }] },
      ['sample.json, line 16: forms[0].records[0].each[0] must be a path in the record, such as items[]'],
    ],
    [
      'a list that is none',
      { ...MAP, forms: [{ marks: ['$.tool'], records: [{ list: 'results' }] }] },
      [
        'sample.json, line 14: forms[0].records[0].list must be a list of JSON such as $.results[], or an element of XML such as /nmaprun/host',
      ],
    ],
    [
      'a value that is a number',
      { ...MAP, finding: { type: 'va', name: 7 } },
      [
        'sample.json, line 21: finding.name must be a template, a list of values, or an object with value or join',
      ],
    ],
    [
      'a condition without a test',
      { ...MAP, skip: [{ when: { value: '{a}' }, reason: 'x' }] },
      [
        'must be an object with value and is, isNot, beginsWith or exists; or with any; or a list of conditions',
      ],
    ],
    [
      'a form without records',
      { ...MAP, forms: [{ marks: ['$.tool'] }] },
      ['sample.json, line 8: forms[0] must have records, because kind is json'],
    ],
    [
      'a form of CSV without columns',
      { ...MAP, kind: 'csv' },
      ['sample.json, line 8: forms[0] must have columns, because kind is csv'],
    ],
    [
      'a type that is none',
      { ...MAP, finding: { type: 'vulnerability', name: '{title}' } },
      [
        'sample.json, line 20: finding.type must be one of finding, ca, va, edr, uba, waf, others (or a template)',
      ],
    ],
    [
      'nested too deep',
      `${'['.repeat(100)}${']'.repeat(100)}`,
      ['sample.json, line 1, column 65: nesting exceeds 64 levels'],
    ],
    ['too long', ' '.repeat(300_000), ['sample.json is no map: it is longer than 256 KB']],
  ])('%s: is rejected with line and path', async (_, content, expected) => {
    const errors = await errorsOf(content);
    expect(errors.length).toBeGreaterThan(0);
    for (const [i, words] of expected.entries()) expect(errors[i]).toContain(words);
  });

  it('shows the first ten problems, in the order of the file', async () => {
    const bad = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`bad${i}`, 1]));
    const errors = await errorsOf({ ...MAP, kind: 'x', asset: bad });
    expect(errors).toHaveLength(11);
    expect(errors[0]).toContain('line 6: kind');
    expect(errors.at(-1)).toBe('… and 21 more');
  });

  it('cannot change a prototype', async () => {
    expect(
      await errorsOf(JSON.stringify(MAP).replace('"name"', '"__proto__":{"polluted":1},"name"')),
    ).toEqual(['accepted']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('that does not exist is an error', () => {
    expect(() => readMapFile(join(dir, 'none.json'))).toThrow(/does not exist/);
  });
});

describe('the shipped maps', () => {
  it('have the names of their files, and a report in the tests each', async () => {
    const files = (await readdir(fileURLToPath(projectFile('libs/reports/maps')))).sort();
    const names = shippedMaps().map(({ name }) => name);
    expect(names.map((name) => `${name}.json`)).toEqual(files);
    expect(names.filter((name) => !FIXTURES.some(({ format }) => format === name))).toEqual([]);
  });
});
