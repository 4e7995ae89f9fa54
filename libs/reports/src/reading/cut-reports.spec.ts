import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-cut-'));
});
afterAll(() => rm(dir, { recursive: true }));

/** The report without its end, from the first of the words on. */
const cutAt = (title: string, words: string): string => {
  const { content } = fixtureNamed(title);
  return content.slice(0, content.indexOf(words) + words.length);
};

const lineOf = (text: string) => text.split('\n').length;

describe('a report that ends too early is rejected with the place of its end', () => {
  it.each([
    ['a.nessus', cutAt('Nessus v2', '<ReportItem port="8443"'), 'is not valid XML or is truncated'],
    ['a.sarif', cutAt('SARIF', '"js/sample-fixed"'), 'ends within its JSON'],
    ['a.csv', cutAt('Qualys CSV', '"Other weakness","Active"'), 'ends within a row'],
    ['a.csv', cutAt('Qualys CSV', 'a line end and'), 'quotes do not match'],
    ['a.csv', cutAt('DefectDojo CSV', 'Put aside,0,https'), 'ends within a row'],
  ])('%s', async (name, content, words) => {
    const { exitCode, err, zips } = await runConvert(dir, { [name]: content }, '--asset', 'shop');
    expect({ exitCode, zips }).toEqual({ exitCode: 2, zips: [] });
    expect(err).toMatch(new RegExp(`${name}, line ${lineOf(content)}(, column \\d+)?: .*${words}`));
  });

  it('also on one line', async () => {
    const content = JSON.stringify(JSON.parse(fixtureNamed('SARIF').content)).slice(0, 1_000);
    const { err } = await runConvert(dir, { 'a.sarif': content });
    expect(err).toContain('a.sarif, line 1, column 1001: ends within its JSON');
  });
});

describe('a whole CSV', () => {
  const rows = (...lines: string[]) => ['title,severity,description,url', ...lines].join('\n');
  const outcomeOf = async (content: string) => {
    const { exitCode, out } = await runConvert(dir, { 'a.csv': content }, '--asset', 'shop', '--json');
    return { exitCode, mapped: exitCode === 0 ? JSON.parse(out).mapped : 0 };
  };

  it.each([
    ['need not end in a line break', rows('Weak,High,text,')],
    ['may leave empty fields at the end of a row out', `${rows('Weak,High')}\n`],
    ['may have empty lines at its end', `${rows('Weak,High,text,')}\n\n\n`],
    ['may end its lines with CR LF', rows('Weak,High,text', '').replaceAll('\n', '\r\n')],
  ])('%s', async (_, content) => {
    expect(await outcomeOf(content)).toEqual({ exitCode: 0, mapped: 1 });
  });
});
