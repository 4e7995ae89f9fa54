import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase, runningInstanceUrl } from '#libs/database';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { DEFAULT_PARTITIONS, StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
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
async function recordsOf(dataDir: string): Promise<number> {
  const { pool, close } = openDatabase((await runningInstanceUrl(dataDir))!, { max: 1 });
  try {
    const { rows } = await pool.query(`select count(*) from log_records where topic = 'posture.intake'`);
    return rows[0].count;
  } finally {
    await close();
  }
}

describe('a service whose log was moved to an archive', () => {
  let dataDir: string;
  let files: string;
  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    files = await mkdtemp(join(tmpdir(), 'posture-archive-'));
  });
  afterAll(async () => {
    await rm(dataDir, { recursive: true, force: true });
    await rm(files, { recursive: true, force: true });
  });

  it('continues, restarts, and is verified, replayed and exported as before', async () => {
    const env = { DATA_DIR: dataDir };
    const [archive, checkpoint] = [join(dataDir, 'archive'), join(files, 'one.posture-checkpoint')];
    const exported = async (name: string) => {
      await posture(env, 'export-log', join(files, name));
      return readFile(join(files, name));
    };

    const first = await StartedStandalone.start(dataDir, DEFAULT_PARTITIONS);
    const client = await first.client();
    await uploaded(client, 'finding');
    expect(await posture(env, 'checkpoint', checkpoint)).toMatch(/^Checkpoint of 312 records/);
    const before = await exported('before');
    expect(await posture(env, 'archive', archive, '--to', checkpoint)).toMatch(
      /^Archived {3}312 records of log \S+; 312 were removed from the log\n$/,
    );
    expect(await recordsOf(dataDir)).toBe(0);
    expect(await exported('after')).toEqual(before);
    await uploaded(client, 'next');
    expect(await first.stop()).toBe(0);

    const second = await StartedStandalone.start(dataDir, DEFAULT_PARTITIONS);
    await uploaded(await second.client(), 'after the start');
    expect(await recordsOf(dataDir)).toBe(2 * SIGNALS);
    await expectVerified(env);
    expect(await posture(env, 'verify', '--from', checkpoint)).toMatch(/^Clean: .* the 912 records/);
    expect(await posture(env, 'replay')).toMatch(/and 900 findings from 912 records of the log\n$/);
    expect(await posture(env, 'replay', '--from', checkpoint)).toMatch(/and 900 findings from 600 records/);
    await uploaded(await second.client(), 'after the replay');
    await expectVerified(env);
    expect(await second.stop()).toBe(0);

    const aside = join(files, 'archive');
    await rename(archive, aside);
    await expect(StartedStandalone.start(dataDir, DEFAULT_PARTITIONS)).rejects.toThrow(
      /ended with 1:\n(?:.*\n)*the log begins at partition 0, offset \d+, .*: set LOG_ARCHIVE to the directory of the older segments/,
    );
    const third = await StartedStandalone.start(dataDir, { ...DEFAULT_PARTITIONS, LOG_ARCHIVE: aside });
    expect(await readdir(aside)).toHaveLength(12);
    expect(await third.stop()).toBe(0);
  }, 240_000);
});
