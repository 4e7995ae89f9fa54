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
const NUMBERS = [...new Set(ROWS.map(({ decision }) => decision))];

/** Where a row starts a site of its own, or fills a queue of sign-ins, on a machine that has other work. */
const ROW_TIMEOUT_MS = 90_000;

let site: Site;

beforeAll(async () => {
  site = await Site.start();
});
beforeEach(() => site.pass(HOUR_MS));
afterAll(() => site.stop());

describe.each(NUMBERS)('%s', (number) => {
  const rows = ROWS.filter(({ decision }) => decision === number);
  it.each(rows)('$says', ({ holds }) => holds(site), ROW_TIMEOUT_MS);
});

describe('the document’s table of finding and control states', () => {
  it.each(STATES)('$state → $trigger $condition → $next', ({ holds }) => holds(site));
});

describe('the tables', () => {
  it('have a row at least for every decision that can be observed, D1 to D26', () => {
    const numbers = Array.from({ length: 26 }, (_, i) => i + 1);
    expect(NUMBERS.map((number) => Number(number.slice(1))).sort((a, b) => a - b)).toEqual(numbers);
  });

  it('say no sentence twice', () => {
    const sentences = ROWS.map(({ decision, says }) => `${decision} ${says}`);
    expect(sentences.filter((sentence, i) => sentences.indexOf(sentence) !== i)).toEqual([]);
  });
});
