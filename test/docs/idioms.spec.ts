import { beforeAll, describe, expect, it } from '@jest/globals';
import { shownTexts } from './citations.ts';
import { idiomsIn } from './idioms.ts';
import { textFiles, textOf } from './project-texts.ts';

const PROGRAM = /^(apps|libs|client)\/.*\.tsx?$/;
const OF_TESTS = /\.spec\.ts$/;
/** A report of a released format must have the same bytes again. */
const REPORT = 'apps/cli/src/report/html-report.ts';
const DOCUMENT = /^(README|CONTRIBUTING|SECURITY|client\/README|docs\/.*)\.md$|^schemas\/asyncapi\.yaml$/;
/** It lists these words. */
const GUIDE = 'docs/writing.md';

let paths: string[];

beforeAll(async () => {
  paths = await textFiles();
});

describe('texts contain no idiom of docs/writing.md', () => {
  it('messages, API descriptions, command-line help and the console', async () => {
    const sources = paths.filter((path) => PROGRAM.test(path) && !OF_TESTS.test(path) && path !== REPORT);
    expect(sources.length).toBeGreaterThan(1_000);
    const found = await Promise.all(sources.map(idiomsOfProgram));
    expect(found.flat()).toEqual([]);
  });

  it('documentation', async () => {
    const documents = paths.filter((path) => DOCUMENT.test(path) && path !== GUIDE);
    expect(documents.length).toBeGreaterThan(20);
    const found = await Promise.all(documents.map(idiomsOfDocument));
    expect(found.flat()).toEqual([]);
  });

  it('finds them', () => {
    expect(idiomsIn('The old one goes on; it tells whoever reads it')).toEqual([
      'goes on',
      'tells',
      'whoever',
    ]);
    expect(idiomsIn('The reader continues and reports the position')).toEqual([]);
  });
});

async function idiomsOfProgram(path: string) {
  const source = await textOf(path);
  // Parsing takes most of the time, and most files have none.
  if (idiomsIn(source).length === 0) return [];
  // A single word is a key or a name.
  return shownTexts(path, source)
    .filter((text) => /\S\s+\S/.test(text))
    .flatMap((text) => idiomsIn(text).map((idiom) => ({ path, idiom })));
}

async function idiomsOfDocument(path: string) {
  return idiomsIn(await textOf(path)).map((idiom) => ({ path, idiom }));
}
