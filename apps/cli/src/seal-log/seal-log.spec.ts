import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Backup } from '#libs/backup';
import { encodeIntake } from '#libs/contracts';
import { assetId, findingId, readingAt } from '#libs/domain';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import type { CheckpointFile } from '#libs/log-archive';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { entity, signal, T0, upload } from '../../../../test/support/scenario.ts';
import { runPosture } from '../posture.ts';

const PARTITIONS = 2;
const SECRET = 'of-a-test-'.repeat(4);
const USER = 'user:ana';
const MACHINE = 'machine:web01';

describe('posture seal-log', () => {
  let site: TestDatabase;
  let dir: string;

  beforeAll(async () => {
    site = await testDatabase();
    dir = await mkdtemp(join(tmpdir(), 'posture-seal-log-'));
    await append(1, USER);
    await openTicket(findingId(assetId(USER), 'va', 'a'));
    await run('backup', at('old'));
  });
  afterAll(async () => {
    await site.drop();
    await rm(dir, { recursive: true });
  });

  const at = (name: string) => join(dir, name);

  async function append(n: number, entityKey: string): Promise<void> {
    const log = new PostgresEventLog({ url: site.url, partitions: PARTITIONS });
    try {
      await openLog(site.db, log, () => readingAt(T0));
      const [type, name] = entityKey.split(':') as ['user' | 'machine', string];
      const events = upload(n, T0 + n, [signal('a', 'fail', { entity: entity({ type, name }) })], {
        entityKey,
      });
      await log.append(
        INTAKE_TOPIC,
        events.map((event) => ({ key: event.envelope.entityKey, value: encodeIntake(event) })),
      );
    } finally {
      await log.close();
    }
  }

  /** As a collector stores it. */
  async function openTicket(ofFinding: string): Promise<void> {
    await site.pool.query(
      `with added as (
         insert into webhooks (id, url, topics, secret, enabled, position, created_at, updated_at)
         values (gen_random_uuid(), 'https://tickets.example', '{findings}', 'x', false, 'x', now(), now())
         returning id
       )
       insert into webhook_tickets (webhook_id, finding_id, state, key, opened_at, changed_at)
       select id, $1, 'open', 'SEC-1', now(), now() from added`,
      [ofFinding],
    );
  }

  const run = (...args: string[]) => runWith({ POSTURE_SECRET_KEY: SECRET }, ...args);

  async function runWith(env: Record<string, string>, ...args: string[]) {
    const terminal = recordingTerminal({ DATABASE_URL: site.url, DATA_DIR: at('none'), ...env });
    const exitCode = await runPosture(args, terminal);
    return { exitCode, out: terminal.out(), err: terminal.err() };
  }

  async function rowsOf(file: CheckpointFile, table: string): Promise<string> {
    let text = '';
    for await (const { name, rows } of file.readTables()) {
      for await (const row of rows) if (name === table) text += row;
    }
    return text;
  }

  const refused = (err: RegExp) => ({ exitCode: 2, out: '', err: expect.stringMatching(err) });

  it('says what it sealed, and what to do next', async () => {
    const { exitCode, out, err } = await run('seal-log', at('old'), at('sealed'));
    // The user, and the person who uploaded.
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(
        /^Sealed {5}3 records with 2 subjects as log \S+\nNext {7}posture restore .*\/sealed, into a new site; start it with SEAL_PERSONAL_TEXTS=true\n$/,
      ),
    ]);
    expect(err).toContain('Sealing: ');
    expect(JSON.parse((await run('seal-log', at('old'), at('sealed'), '--json')).out)).toEqual({
      ok: true,
      logId: /log (\S+)\n/.exec(out)![1],
      records: 3,
      written: 0,
      subjects: 2,
    });
  });

  it('keeps the ticket of a finding of a user, under the new id of the finding', async () => {
    const backup = await Backup.open(at('sealed'));
    const keys: string[] = [];
    for (const partition of backup.end.heads.keys()) {
      for await (const records of backup.partition(partition)) {
        keys.push(...records.map(({ key }) => key));
      }
    }
    const sealed = keys.find((key) => key.startsWith('user:'))!;
    expect(sealed).not.toBe(USER);
    expect(await rowsOf(backup.tables, 'webhook_tickets')).toContain(
      `\t${findingId(assetId(sealed), 'va', 'a')}\topen\tSEC-1\t`,
    );
  });

  it('keeps its keys and takes all other tables of a later backup of the same log', async () => {
    const userOf = (name: string) =>
      site.pool.query(
        `insert into users (id, provider, subject, name, grants, created_at)
         values (gen_random_uuid(), 'corp', $1, 'corp:' || $1, '{}', now())`,
        [name],
      );
    await cp(at('old'), at('again'), { recursive: true });
    await cp(at('sealed'), at('sealed-again'), { recursive: true });
    await userOf('eve');
    await site.pool.query(`insert into roles values ('auditor', '{assets:read}')`);
    await run('backup', at('again'));
    await site.pool.query('delete from users; delete from roles');
    const { exitCode, out } = await run('seal-log', at('again'), at('sealed-again'), '--json');
    expect([exitCode, JSON.parse(out)]).toMatchObject([0, { written: 0 }]);
    const first = await Backup.open(at('sealed'));
    const again = await Backup.open(at('sealed-again'));
    expect(await rowsOf(again.keys!, 'subject_keys')).toBe(await rowsOf(first.keys!, 'subject_keys'));
    expect(await rowsOf(again.keys!, 'users')).toContain('corp:eve');
    expect(await rowsOf(again.tables, 'roles')).toContain('auditor');
  });

  it('takes the file of keys of a backup that has it elsewhere', async () => {
    await run('backup', at('split'), '--keys', at('old.keys'));
    expect(await run('seal-log', at('split'), at('of-split'))).toMatchObject(
      refused(/keys\.posture-backup does not exist: .*--keys/),
    );
    expect(await run('seal-log', at('split'), at('of-split'), '--keys', at('old.keys'))).toMatchObject({
      exitCode: 0,
    });
  });

  it('rejects a backup that is missing, sealed or damaged', async () => {
    expect(await run('seal-log', at('missing'), at('new'))).toMatchObject(
      refused(/missing contains no tables\.posture-backup/),
    );
    expect(await run('seal-log', at('sealed'), at('new'))).toMatchObject(
      refused(/already contains sealed texts: .*sealed\/keys\.posture-backup has their keys/),
    );
    await cp(at('old'), at('damaged'), { recursive: true });
    const [segment] = await readdir(join(at('damaged'), 'log'));
    const path = join(at('damaged'), 'log', segment!);
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0, bytes.length - 40, bytes.length - 32));
    expect(await run('seal-log', at('damaged'), at('new'))).toMatchObject(refused(new RegExp(segment!)));
    await expect(readdir(at('new'))).rejects.toThrow('ENOENT');
  });

  it('rejects a directory in the backup, around it, or of another one', async () => {
    const outside = refused(/must be outside of the backup/);
    expect(await run('seal-log', at('old'), at('old/sealed'))).toMatchObject(outside);
    expect(await run('seal-log', at('old'), dir)).toMatchObject(outside);
    expect(await run('seal-log', at('old'), at('split'))).toMatchObject(
      refused(/split does not belong to this backup: name a new directory/),
    );
    await cp(at('old'), at('later'), { recursive: true });
    await append(2, MACHINE);
    await run('backup', at('later'));
    expect(await run('seal-log', at('later'), at('sealed'))).toMatchObject(
      refused(/begun from another backup, or the backup has changed since: name a new directory/),
    );
  });

  it('requires the secret key, and the one that it was begun with', async () => {
    expect(await runWith({}, 'seal-log', at('old'), at('new'))).toMatchObject(refused(/POSTURE_SECRET_KEY/));
    const other = await runWith({ POSTURE_SECRET_KEY: `${SECRET}x` }, 'seal-log', at('old'), at('sealed'));
    expect(other).toMatchObject(
      refused(/encrypted with a different secret key: use the secret key that .*sealed was begun with/),
    );
    // Of another run.
    await cp(at('sealed'), at('mixed'), { recursive: true });
    await run('seal-log', at('old'), at('second'));
    await rename(join(at('second'), 'keys.posture-backup'), join(at('mixed'), 'keys.posture-backup'));
    expect(await run('seal-log', at('old'), at('mixed'))).toMatchObject(
      refused(/mixed does not belong to this backup/),
    );
  });
});
