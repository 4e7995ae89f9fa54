import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeFakeClocks, FakeClock } from './fake-clock.ts';

const run = promisify(execFile);

const CHILD_OF_ANOTHER_ENVIRONMENT = `
  console.error(process.env.FAKETIME_SHARED);
  require('node:child_process').spawn(process.execPath, ['-p', 'JSON.stringify(process.env)'], {
    env: { PATH: process.env.PATH },
    stdio: 'inherit',
  });`;

describeFakeClocks('the clock of children', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'posture-clock-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('goes with a child that is given another environment, without the semaphore of its parent', async () => {
    const { envOfAll, env } = await FakeClock.at(folder, '+2h');
    const { stdout, stderr } = await run(process.execPath, ['-e', CHILD_OF_ANOTHER_ENVIRONMENT], {
      env: { PATH: process.env.PATH, ...envOfAll },
    });
    expect(JSON.parse(stdout)).toMatchObject(env);
    expect(stdout).not.toContain(stderr.trim());
  });
});
