import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { divideMove } from '../../libs/domain/src/scoring/posture2/explain/explain-move.ts';
import { installPackages } from '../support/debian-packages.ts';
import { moved } from '../support/moved-estates.ts';
import { PYTHON_MS_MAX, pythonWith } from '../support/python-environment.ts';
import { describePython, NEEDED_PACKAGES } from './describe-python.ts';

const MOVES = 200;
const RUN_MS_MAX = 300_000;
/** Any other seed gives other moves; a fixed one gives the same failure again. */
const SEED = 20_261_130;
/** Of a hundredth of a point; smaller parts may be named otherwise, because nothing but rounding has a sign. */
const TOLERANCE = 1e-4;

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

type Part = [kind: string, id: string, assetId: string | null, part: number];

const textsOf = (parts: Part[]) =>
  parts
    .filter(([, , , part]) => Math.abs(part) > TOLERANCE)
    .map(([kind, id, assetId, part]) => ({ cause: `${kind} ${id} ${assetId}`, part }))
    .sort((a, b) => (a.cause < b.cause ? -1 : 1));

describePython('what moved a score of posture-2, recomputed in Python from docs/scoring.md', () => {
  let python: string;
  beforeAll(async () => {
    await installPackages(NEEDED_PACKAGES);
    python = await pythonWith(fileOf('requirements.txt'));
  }, PYTHON_MS_MAX);

  it(
    `gives the same parts and names in ${MOVES} random moves`,
    async () => {
      const moves = fc.sample(moved, { numRuns: MOVES, seed: SEED });
      const input = moves.map(({ moves: given, from, to }) => ({
        moves: given,
        from: { known: from.known, at: from.at },
        to: { known: to.known, at: to.at },
      }));
      const { stdout, stderr } = spawnSync(python, [fileOf('explain.py'), fileOf('../../docs/scoring.md')], {
        input: JSON.stringify(input),
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      });
      expect(stderr).toBe('');
      const recomputed = JSON.parse(stdout) as Part[][];
      const kinds = new Set<string>();
      for (const [i, { moves: given, from, to }] of moves.entries()) {
        const { parts } = await divideMove(given, from, to);
        const computed = parts.map(
          ({ cause: { kind, id, assetId }, part }): Part => [kind, id, assetId, part],
        );
        for (const [kind] of computed) kinds.add(kind);
        const [expected, own] = [textsOf(recomputed[i]!), textsOf(computed)];
        expect(own.map(({ cause }) => cause)).toEqual(expected.map(({ cause }) => cause));
        for (const [j, { part }] of own.entries()) {
          expect(Math.abs(part - expected[j]!.part)).toBeLessThan(TOLERANCE);
        }
      }
      expect([...kinds].sort()).toEqual(['acceptance', 'age', 'asset', 'catalogue', 'control', 'finding']);
    },
    RUN_MS_MAX,
  );
});
