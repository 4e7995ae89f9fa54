import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { DEFAULT_PARTITIONS, temporaryDataDir } from '../support/started-standalone.ts';
import { expectVerified, posture } from '../support/verify.ts';

const SIGNALS = 300;

const bundle = (name: string) =>
  zipOf(
    Object.fromEntries(
      Array.from({ length: SIGNALS }, (_, i) => [`${i}.json`, plainSignal(`${name} ${i}`, `host${i % 20}`)]),
    ),
  );

async function uploaded(client: ApiClient, name: string): Promise<void> {
  const { status, body } = await client.zip(await bundle(name));
  expect(status).toBe(200);
  expect(await client.folded(body.uploadId)).toMatchObject({ folded: SIGNALS });
}

/** Records in the log itself. */
async function recordsOf({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query(`select count(*) from log_records where topic = 'posture.intake'`);
  return rows[0].count;
}

describe('a service whose log was moved to an archive', () => {
  let dataDir: string;
  let database: TestDatabase;
  let files: string;
  let running: StandaloneHere | undefined;
  beforeAll(async () => {
    [dataDir, files] = [await temporaryDataDir(), await temporaryDataDir()];
    database = await testDatabase();
  });
  afterAll(async () => {
    await running?.stopAndRemove();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
    await rm(files, { recursive: true, force: true });
  });

  it('continues, restarts, and is verified, replayed and exported as before', async () => {
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir };
    const [archive, checkpoint] = [join(dataDir, 'archive'), join(files, 'one.posture-checkpoint')];
    const exported = async (name: string) => {
      await posture(env, 'export-log', join(files, name));
      return readFile(join(files, name));
    };

    const start = async (more: Record<string, string> = {}) => {
      await running?.stopAndRemove();
      running = undefined;
      running = await StandaloneHere.start({ ...DEFAULT_PARTITIONS, ...env, ...more });
      return running.client();
    };

    const client = await start();
    await uploaded(client, 'finding');
    expect(await posture(env, 'checkpoint', checkpoint)).toMatch(/^Checkpoint of 312 records/);
    const before = await exported('before');
    expect(await posture(env, 'archive', archive, '--to', checkpoint)).toMatch(
      /^Archived {3}312 records of log \S+; 312 were removed from the log\n$/,
    );
    expect(await recordsOf(database)).toBe(0);
    expect(await exported('after')).toEqual(before);
    await uploaded(client, 'next');

    const again = await start();
    await uploaded(again, 'after the start');
    expect(await recordsOf(database)).toBe(2 * SIGNALS);
    await expectVerified(env);
    expect(await posture(env, 'verify', '--from', checkpoint)).toMatch(/^Clean: .* the 912 records/);
    expect(await posture(env, 'replay')).toMatch(/and 900 findings from 912 records of the log\n$/);
    expect(await posture(env, 'replay', '--from', checkpoint)).toMatch(/and 900 findings from 600 records/);
    await uploaded(again, 'after the replay');
    await expectVerified(env);

    const aside = join(files, 'archive');
    await rename(archive, aside);
    await expect(start()).rejects.toThrow(
      /the log begins at partition 0, offset \d+, .*: set LOG_ARCHIVE to the directory of the older segments/,
    );
    await start({ LOG_ARCHIVE: aside });
    expect(await readdir(aside)).toHaveLength(12);
  }, 240_000);
});
