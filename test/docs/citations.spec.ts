import 'reflect-metadata';
import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { runPosture } from '../../apps/cli/src/posture.ts';
import { previewDocument } from '../../apps/gateway/src/docs/preview-document.ts';
import { recordingTerminal } from '../fixtures/cli/simulated-service.ts';
import { citationsIn, decisionsOf, oldCitationsIn, rulesOf, shownTexts } from './citations.ts';
import { textFiles, textOf } from './project-texts.ts';

const DECISIONS = 'docs/decisions';
/** Released migrations are frozen by their checksums; docs/decisions/README.md translates their citations. */
const FROZEN = /^migrations\//;
const PROGRAM = /^(apps|libs|client)\/.*\.tsx?$/;
const OF_TESTS = /\.spec\.ts$/;

let files: { path: string; text: string }[];
let known: Set<string>;
let rules: string[];
let records: string[];

beforeAll(async () => {
  files = await Promise.all((await textFiles()).map(async (path) => ({ path, text: await textOf(path) })));
  rules = rulesOf(await textOf('docs/specification.md'));
  records = await readdir(DECISIONS);
  known = new Set([...rules, ...decisionsOf(records)]);
});

const shown = (text: string): string[] => [...citationsIn(text), ...oldCitationsIn(text)];

describe('citations', () => {
  it('name a rule of the specification or a decision record', () => {
    expect(files.length).toBeGreaterThan(1_500);
    const cited = files.flatMap(({ path, text }) => citationsIn(text).map((id) => ({ path, id })));
    expect(cited.length).toBeGreaterThan(400);
    expect(cited.filter(({ id }) => !known.has(id))).toEqual([]);
  });

  it('name nothing that is not in the project', () => {
    const old = files
      .filter(({ path }) => !FROZEN.test(path) && path !== `${DECISIONS}/README.md`)
      .flatMap(({ path, text }) => oldCitationsIn(text).map((citation) => ({ path, citation })));
    expect(old).toEqual([]);
  });

  it('in released migrations are translated', async () => {
    const index = await textOf(`${DECISIONS}/README.md`);
    const translated = new Set<string>(index.match(/^\| `[^`]+`/gm));
    const frozen = files
      .filter(({ path }) => FROZEN.test(path))
      .flatMap(({ text }) => oldCitationsIn(text))
      .map((citation) => `| \`${citation.replace('(', '')}\``);
    expect(frozen.length).toBeGreaterThan(0);
    expect(frozen.filter((citation) => !translated.has(citation))).toEqual([]);
  });

  it('are found if they resolve to nothing', () => {
    expect(citationsIn('ordinals (R-FOLD-5, ADR-0015) and T1059, RISK-42, AES-256')).toEqual([
      'R-FOLD-5',
      'ADR-0015',
    ]);
    expect(citationsIn('see R-NOWHERE-1').filter((id) => !known.has(id))).toEqual(['R-NOWHERE-1']);
    expect(citationsIn('see R-FOLD-999, ADR-9999').filter((id) => !known.has(id))).toHaveLength(2);
    const old = ['(D16)', 'spec §States', '(rule 5)', '(rules 4, 5)', 'design "Topics"', '(api.md: assets)'];
    expect(old.map((text) => oldCitationsIn(text).length)).toEqual(old.map(() => 1));
    expect(oldCitationsIn('under rules 2, and the rule does not apply')).toEqual([]);
  });
});

describe('the specification', () => {
  it('gives each rule one identifier', () => {
    expect(rules.length).toBeGreaterThan(250);
    expect(rules.filter((id, i) => rules.indexOf(id) !== i)).toEqual([]);
  });

  it('lists each decision record, and each has its four parts', async () => {
    const index = await textOf(`${DECISIONS}/README.md`);
    const names = records.filter((name) => name !== 'README.md');
    expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([]);
    for (const name of names) {
      const parts = [/^# \d{4} /, /^Status: /m, /^## Context$/m, /^## Decision$/m, /^## Consequences$/m];
      const text = await textOf(`${DECISIONS}/${name}`);
      expect([name, parts.filter((part) => !part.test(text))]).toEqual([name, []]);
      expect(text.slice(2, 6)).toBe(name.slice(0, 4));
    }
  });
});

describe('texts that users see cite nothing', () => {
  it('the OpenAPI document', async () => {
    expect(shown(JSON.stringify(await previewDocument()))).toEqual([]);
  });

  it.each([
    'schemas/asyncapi.yaml',
    'schemas/signal.schema.json',
    ...readdirSync('schemas/changes').map((file) => `schemas/changes/${file}`),
    'client/src/schema.ts',
    'client/README.md',
  ])('%s', async (path) => {
    expect(shown(await textOf(path))).toEqual([]);
  });

  it('the help of the command line', async () => {
    const texts = [await helpOf([])];
    const commands = [...texts[0]!.matchAll(/^ {2}([a-z][a-z-]+)\b/gm)].map(([, name]) => name!);
    expect(commands.length).toBeGreaterThan(15);
    for (const command of commands) texts.push(await helpOf([command]));
    expect(texts.flatMap(shown)).toEqual([]);
  });

  it('errors, log lines and the console', () => {
    const cited = files
      .filter(({ path, text }) => PROGRAM.test(path) && !OF_TESTS.test(path) && shown(text).length > 0)
      .flatMap(({ path, text }) => shownTexts(path, text).map((one) => ({ path, cited: shown(one) })))
      .filter(({ cited }) => cited.length > 0);
    expect(cited).toEqual([]);
  });

  it('is found if it is not so', () => {
    const source = [
      '/** Why (R-FOLD-5). */',
      "const a = 'never (D16)';",
      'const b = `to $' + '{a} by R-ZIP-4`;',
      'const c = <p>See ADR-0001</p>; // R-ZIP-5',
    ].join('\n');
    expect(shownTexts('a.tsx', source).flatMap(shown)).toEqual(['D16', 'R-ZIP-4', 'ADR-0001']);
  });
});

async function helpOf(args: string[]): Promise<string> {
  const terminal = recordingTerminal({});
  await runPosture([...args, '--help'], terminal);
  return terminal.out() + terminal.err();
}
