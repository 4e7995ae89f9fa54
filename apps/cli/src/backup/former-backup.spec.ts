import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Backup, restoreSite } from '#libs/backup';
import { openDatabase } from '#libs/database';
import { PostgresEventLog } from '#libs/event-log';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { runPosture } from '../posture.ts';

/** Of a site with 4 uploads and 2 partitions, by the version before the chain covered whole values. */
const FORMER = 'test/fixtures/backup/format-1';

let restored: TestDatabase;
let dir: string;
beforeAll(async () => {
  restored = await testDatabase();
  dir = await mkdtemp(join(tmpdir(), 'posture-former-backup-'));
});
afterAll(async () => {
  await restored.drop();
  await rm(dir, { recursive: true });
});

async function run(...args: string[]) {
  const terminal = recordingTerminal({ DATABASE_URL: restored.url });
  const exitCode = await runPosture(args, terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

it('is restored, and a log that continues it is recognized by the former chain', async () => {
  expect(await run('restore', FORMER, '--without-keys')).toMatchObject({ exitCode: 0 });
  const { rows } = await restored.pool.query('select count(*)::integer as findings from findings');
  expect(rows).toEqual([{ findings: 4 }]);

  const beside = await testDatabase();
  try {
    const backup = await Backup.open(FORMER, { withoutKeys: true });
    const live = openDatabase(beside.url, { max: 8 });
    const openLog = async () => new PostgresEventLog({ url: restored.url, partitions: 2 });
    const options = { databaseUrl: beside.url, cut: await backup.verify(), keepsLog: true, openLog };
    const result = await restoreSite(live, backup, options).finally(() => live.close());
    expect(result).toMatchObject({ findings: 4 });
  } finally {
    await beside.drop();
  }
});

it('is not continued by a backup into its directory', async () => {
  const folder = join(dir, 'former');
  await cp(FORMER, folder, { recursive: true });
  const { exitCode, err } = await run('backup', folder);
  expect([exitCode, err]).toEqual([
    2,
    expect.stringMatching(
      /\.posture-segment has format version 1, which a backup does not continue: name a new directory/,
    ),
  ]);
  expect(await run('backup', join(dir, 'new'))).toMatchObject({ exitCode: 0 });
});
