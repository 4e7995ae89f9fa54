import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

const page = await readFile('CONTRIBUTING.md', 'utf8');
const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));

/** Paths that a command or the reader creates. */
const NOT_THERE = ['sbom/posture.cdx.json', '.gitlab/issue_templates', '.gitlab/merge_request_templates'];

/** Quoted paths from the root. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`([\w.-]+\/[\w./-]*[\w-])\/?`/g)].map(([, path]) => path!);
const missingOf = (paths: string[]): string[] =>
  paths.filter((path) => !existsSync(path) && !NOT_THERE.includes(path));

describe('CONTRIBUTING.md', () => {
  it('names files and folders that exist', () => {
    expect(pathsIn(page).length).toBeGreaterThan(80);
    expect(missingOf(pathsIn(page))).toEqual([]);
    expect(missingOf(pathsIn('`libs/domain/src/no-such-file.ts`'))).toEqual([
      'libs/domain/src/no-such-file.ts',
    ]);
  });

  it('names the latest schema of each type: a new one is a copy of it', async () => {
    const { intake, changes } = JSON.parse(await readFile('schemas/ids.json', 'utf8'));
    const types = [
      ...intake.map(({ type, file }: Record<string, string>) => [type, `schemas/intake/${file}.avsc`]),
      ...changes.map(({ subject, file }: Record<string, string>) => [
        subject,
        `schemas/changes/${file}.avsc`,
      ]),
    ];
    const latest = new Set(new Map(types).values());
    const named = pathsIn(page).filter((path) => /^schemas\/(intake|changes)\//.test(path));
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((path) => !latest.has(path))).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const names = [...page.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names folders of tests that exist', () => {
    const folders = [...page.matchAll(/npm (?:run test:quick|test) -- ((?:[\w.-]+\/[\w./-]+ ?)+)/g)].flatMap(
      ([, paths]) => paths!.trim().split(' '),
    );
    expect(folders.length).toBeGreaterThan(8);
    // Jest matches the beginning of a name.
    const isThere = (path: string) =>
      [path, `${path}.spec.ts`, `${path}.http.spec.ts`].some((one) => existsSync(one));
    expect(folders.filter((path) => !isThere(path))).toEqual([]);
  });
});
