import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Steps } from './steps.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posture-steps-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('steps of a long benchmark', () => {
  it('are not repeated by a later call, unless they failed', async () => {
    const done: string[] = [];
    const run = async (failing: string) => {
      const steps = await Steps.open(folder);
      const results: number[] = [];
      for (const name of ['fill', 'verify', 'replay']) {
        const work = async () => {
          done.push(name);
          if (name === failing) throw new Error('interrupted');
          return done.length;
        };
        results.push(await steps.step(name, work));
      }
      return results;
    };
    await expect(run('verify')).rejects.toThrow('interrupted');
    expect(await run('')).toEqual([1, 3, 4]);
    expect(done).toEqual(['fill', 'verify', 'verify', 'replay']);
    expect((await Steps.open(folder)).isEmpty).toBe(false);
  });
});
