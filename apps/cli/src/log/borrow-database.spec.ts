import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NPM_PROGRAMS, startEmbeddedPostgres } from '#libs/database';
import { until } from '../../../../test/support/until.ts';

/** Runs the built command line as a separate process. */
const LAUNCHER = fileURLToPath(new URL('../../posture.js', import.meta.url));

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'posture-borrowed-'));
  await chmod(dataDir, 0o755);
});
afterAll(() => rm(dataDir, { recursive: true }));

it('stops the PostgreSQL that it was starting when the command is interrupted', async () => {
  const directory = join(dataDir, 'postgres');
  const site = { directory, postgresBin: NPM_PROGRAMS, log: () => {} };
  await (await startEmbeddedPostgres(site)).stop();
  const child = spawn(process.execPath, [LAUNCHER, 'export-log', join(dataDir, 'log')], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', POSTGRES_BIN: NPM_PROGRAMS },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  // Written before the server starts.
  await until('the note of the instance', () => existsSync(`${directory}.json`));
  child.kill('SIGINT');
  expect(await exited).toEqual([130, null]);
  expect(existsSync(join(directory, 'postmaster.pid'))).toBe(false);
  // Its lock is free: no process of it is left.
  await (await startEmbeddedPostgres(site)).stop();
});
