import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ACCESS } from './access.rows.ts';
import { ENTITIES } from './entities.rows.ts';
import { FINDINGS } from './findings.rows.ts';
import { FORMS } from './forms.rows.ts';
import { LIFE } from './life.rows.ts';
import { LIMITS } from './limits.rows.ts';
import type { Row } from './row.ts';
import { SCORES } from './scores.rows.ts';
import { SCORING } from './scoring.rows.ts';
import { HOUR_MS, Site } from './site.ts';
import { STATES } from './states.rows.ts';
import { UPLOADS } from './uploads.rows.ts';
import { ZIP_CONTENTS } from './zip-contents.rows.ts';

const ROWS: Row[] = [
  ...ENTITIES,
  ...FINDINGS,
  ...LIFE,
  ...UPLOADS,
  ...ZIP_CONTENTS,
  ...LIMITS,
  ...FORMS,
  ...SCORING,
  ...SCORES,
  ...ACCESS,
];
const RULES = [...new Set(ROWS.map(({ rule }) => rule))];
/** Subjects of the specification that can be observed over HTTP within one site. */
const SUBJECTS = [
  'ACC',
  'ASSET',
  'AUTH',
  'CAT',
  'DEL',
  'ENT',
  'EXP',
  'FIND',
  'HTTP',
  'LIM',
  'SCORE',
  'SIG',
  'UPL',
  'ZIP',
];

/** For rows that start a separate site, or fill a queue of sign-ins, on a busy machine. */
const ROW_TIMEOUT_MS = 90_000;

let site: Site;

beforeAll(async () => {
  site = await Site.start();
});
beforeEach(() => site.pass(HOUR_MS));
afterAll(() => site.stop());

describe.each(RULES)('%s', (id) => {
  const rows = ROWS.filter(({ rule }) => rule === id);
  it.each(rows)('$says', ({ holds }) => holds(site), ROW_TIMEOUT_MS);
});

describe('the states of findings and controls', () => {
  it.each(STATES)('$state → $trigger $condition → $next', ({ holds }) => holds(site));
});

describe('the tables', () => {
  it('have rows for every subject that can be observed', () => {
    const subjects = new Set(RULES.map((rule) => rule.split('-')[1]));
    expect(SUBJECTS.filter((subject) => !subjects.has(subject))).toEqual([]);
  });

  it('say no sentence twice', () => {
    const sentences = ROWS.map(({ rule, says }) => `${rule} ${says}`);
    expect(sentences.filter((sentence, i) => sentences.indexOf(sentence) !== i)).toEqual([]);
  });
});
