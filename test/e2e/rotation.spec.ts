import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readKeyStatus } from '#libs/key-rotation';
import { SubjectKeys } from '#libs/subject-keys';
import { Vault } from '#libs/vault';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { untilLockWait } from '../support/lock-wait.ts';
import { posture } from '../support/verify.ts';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const ROTATING = { POSTURE_SECRET_KEY: NEW, POSTURE_PREVIOUS_SECRET_KEY: OLD };
const NAMES = Array.from({ length: 1_200 }, (_, i) => `user:u${i}`);
/** With the key of the lookups. */
const KEYS = NAMES.length + 1;
/** Keys of the first batch. */
const BATCH = 500;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const keysBy = (...secrets: string[]) =>
  new SubjectKeys(database.db, new Vault(secrets.map((secret) => Buffer.from(secret)))).find(NAMES);
const numbers = async () =>
  new Map((await readKeyStatus(database.db)).map(({ keyId, subjectKeys }) => [keyId, subjectKeys]));

it('a rotation resumes after kill -9, and loses no key (R-KEY-4)', async () => {
  await new SubjectKeys(database.db, new Vault([Buffer.from(OLD)])).obtain(NAMES);
  const keys = await keysBy(OLD);
  const [oldId, newId] = [OLD, NEW].map((secret) => new Vault([Buffer.from(secret)]).currentId);
  const env = { DATABASE_URL: database.url, ...ROTATING };

  // A lock on one key of the second batch stops the rotation there.
  const lock = await database.pool.connect();
  await lock.query('begin');
  await lock.query(`select 1 from subject_keys where subject =
      (select subject from subject_keys order by subject offset 700 limit 1) for update`);
  const rotation = spawn(process.execPath, ['apps/cli/posture.js', 'keys', 'rotate'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  });
  const ended = once(rotation, 'close');
  try {
    await untilLockWait('the rotation waits for the key', database);
    rotation.kill('SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
    expect(await numbers()).toEqual(
      new Map([
        [newId, BATCH],
        [oldId, KEYS - BATCH],
      ]),
    );
    expect(await keysBy(NEW, OLD)).toEqual(keys);
    // The batch that the killed process had sent ends, as a whole or not at all, before the lock is released.
    await lock.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
  } finally {
    await lock.query('rollback');
    lock.release();
  }
  expect(await posture(env, 'keys', 'rotate')).toBe(
    `Rotated    ${KEYS - BATCH} keys and secrets; ${BATCH} were under the present wrapping key\n`,
  );
  expect(await numbers()).toEqual(new Map([[newId, KEYS]]));
  expect(await keysBy(NEW)).toEqual(keys);
});
