import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_SETTINGS, readingAt } from '#libs/domain';
import { planZip } from '../../apps/gateway/src/signals/zip/plan-zip.ts';
import { FIXTURES } from '../fixtures/convert/reports.ts';
import { type Converted, runConvert } from '../fixtures/convert/run-convert.ts';

const upload = {
  context: {
    uploadId: '0b1f7c9e-52a7-4a39-9a5c-8f3f0d1f7a11',
    kind: 'zip' as const,
    ...readingAt(1_767_312_000_000),
    user: 'ana',
    requestId: 'r-1',
    settingsVersion: 0,
    partitions: 4,
  },
  settings: DEFAULT_SETTINGS,
  skipsInvalid: false,
};

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-accepted-'));
});
afterAll(() => rm(dir, { recursive: true }));

/** The result of the gateway's own reader for all ZIPs; it throws if it would reject one. */
async function accept({ zips }: Converted) {
  const outcomes = [];
  for (const { bytes } of zips) outcomes.push((await planZip(bytes, upload)).outcome);
  return {
    accepted: outcomes.reduce((sum, { accepted }) => sum + accepted, 0),
    ignored: outcomes.reduce((sum, { ignored }) => sum + ignored, 0),
    warnings: outcomes.flatMap(({ warnings }) => warnings),
  };
}

const args = (asset: string | undefined) => (asset === undefined ? [] : ['--asset', asset]);

describe('the gateway takes every entry of a converted report', () => {
  it.each(FIXTURES.filter(({ signals }) => signals > 0))(
    '$title',
    async ({ fileName, content, asset, signals }) => {
      const converted = await runConvert(dir, { [fileName]: content }, ...args(asset));
      expect(await accept(converted)).toEqual({ accepted: signals, ignored: 0, warnings: [] });
    },
  );
});

/** A JSON value with some of its parts replaced by others; its members and their elements stay. */
const mutated = (value: unknown): fc.Arbitrary<unknown> =>
  fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })).chain((dice) =>
    fc.infiniteStream(fc.oneof(fc.jsonValue(), hostile)).map((others) => {
      const kept = Array.isArray(value) ? 1 : 2;
      const change = (part: unknown, depth: number): unknown => {
        if (depth > kept && dice.next().value < 0.06) return others.next().value;
        const inner = (each: unknown) => change(each, depth + 1);
        if (Array.isArray(part)) return part.map(inner);
        if (typeof part !== 'object' || part === null) return part;
        return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, inner(each)]));
      };
      return change(value, 0);
    }),
  );

const hostile = fc.constantFrom<unknown>(
  '',
  '   ',
  '\0',
  '\ud800',
  '.',
  'x'.repeat(70_000),
  'é\n'.repeat(2_000),
  -1,
  11,
  1e300,
  '9.9e99',
  '2026-13-45T99:99:99Z',
  '<script>&#x41;&lt;',
  'CVE-2024-1 CVE-2024-99999 T1059.001 CWE-79',
  ['a', 1, null, {}],
  { __proto__: null, constructor: 1 },
  'https://[::1',
  'http://user:secret@halden.example:99999/x?y#z',
);

/** Of several documents in one list, or with marks deep in a record, nearly every change would remove what identifies it. */
const jsonFixtures = FIXTURES.filter(
  ({ content, title }) => /^[[{]/.test(content) && !/ines|several types|Wazuh index/.test(title),
);

describe('a report that is not as its format says', () => {
  it.each(jsonFixtures)(
    '$title: is rejected with a message, or all records are mapped or listed, and mapped ones are accepted',
    async ({ format, fileName, content }) => {
      let taken = 0;
      await fc.assert(
        fc.asyncProperty(mutated(JSON.parse(content)), async (value) => {
          const report = JSON.stringify(value);
          fc.pre(/^[[{]/.test(report));
          const options = ['--from', format, '--asset', 'shop', '--json'];
          const converted = await runConvert(dir, { [fileName]: report }, ...options);
          if (converted.exitCode !== 0) {
            expect(converted).toMatchObject({ exitCode: 2, zips: [], left: [] });
            expect(JSON.parse(converted.out).message).toMatch(/: is not an? .+: it/);
            return;
          }
          expect(converted).toMatchObject({ err: '', left: [] });
          const { read, mapped, listed, signals } = JSON.parse(converted.out);
          expect(read).toBe(mapped + listed);
          expect((await accept(converted)).accepted).toBe(signals);
          taken += 1;
        }),
        { numRuns: 20, seed: 20260101 },
      );
      expect(taken).toBeGreaterThan(0);
    },
  );
});
