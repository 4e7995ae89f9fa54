import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Backup } from '#libs/backup';
import { decodeIntake, partitionOf } from '#libs/contracts';
import { ORGANIZATION_KEY, readingAt } from '#libs/domain';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { T0 } from '../../../../test/support/scenario.ts';
import { type Sent, writtenLog } from '../../../../test/support/written-logs.ts';
import { runPosture } from '../posture.ts';

const [FROM, TO] = [2, 6];
const HOSTS = Array.from({ length: 16 }, (_, i) => i);
const WEBHOOK = '22222222-2222-4222-8222-222222222222';
/** The erasure list of the backup, which a restore obeys. */
const ERASED = 'AAAAAAAAAAAAAAAAAAAAAA\n';
const SENT: Sent[] = [
  { what: 'upload', hosts: HOSTS, isFull: true, storedBeforeRetry: null },
  { what: 'settings' },
  { what: 'corrupt record', host: 3 },
  { what: 'upload', hosts: [...HOSTS, ...HOSTS], isFull: false, storedBeforeRetry: null },
  { what: 'upload', hosts: HOSTS.slice(5), isFull: true, storedBeforeRetry: null },
];

/** Rows by which readers see a site, wherever they are stored. */
const SEEN = {
  assets: `select to_jsonb(a) - '{asset_no,partition,state}'::text[], a.state::jsonb - 'number' from assets a`,
  findings: `select to_jsonb(f) - '{asset_no,finding_no,partition}'::text[] from findings f`,
  assetHistory: `select a.id, h.at, h.change, h.cause, h.state::jsonb - 'number',
      row_number() over (partition by a.id order by h.sequence)
    from asset_history h join assets a using (asset_no)`,
  findingHistory: `select f.id, h.at, h.change, h.from_state, h.to_state, h.reason, h.cause, h.body::jsonb,
      row_number() over (partition by f.id order by h.sequence)
    from finding_history h join findings f using (asset_no, finding_no)`,
  uploads: `select upload_id, sum(seen), sum(signals), max(header::text) from upload_progress group by upload_id`,
  acts: `select to_jsonb(a) - '{partition,log_offset}'::text[] from acts a`,
  quarantine: `select key, value, at from quarantine`,
  credentials: `select to_jsonb(c) from credentials c`,
};

/** In order: each uses the result of the previous one. */
describe('posture repartition', () => {
  let site: TestDatabase;
  let dir: string;
  const targets: TestDatabase[] = [];

  beforeAll(async () => {
    site = await testDatabase();
    dir = await mkdtemp(join(tmpdir(), 'posture-repartition-'));
    await append(SENT);
    await site.pool.query(
      `insert into credentials (id, username, password_hash, role, created_at, second_factor_acts)
       values ('11111111-1111-4111-8111-111111111111', 'ana', 'hash', 'admin', now(), 0)`,
    );
    expect((await run('replay')).exitCode).toBe(0);
    await site.pool.query(
      `insert into webhooks (id, url, topics, secret, enabled, position, created_at, updated_at)
       values ($1, 'https://receiver.example', '{findings}', 'sealed', true, 'f:1.2', now(), now())`,
      [WEBHOOK],
    );
    expect((await run('backup', at('old'))).exitCode).toBe(0);
    await writeFile(at('old/erasures.txt'), ERASED);
  });
  afterAll(async () => {
    await Promise.all([site, ...targets].map((database) => database.drop()));
    await rm(dir, { recursive: true });
  });

  const at = (name: string) => join(dir, name);
  const run = (...args: string[]) => runOn(site, ...args);

  async function append(sent: Sent[]): Promise<void> {
    const log = new PostgresEventLog({ url: site.url, partitions: FROM });
    try {
      await openLog(site.db, log, () => readingAt(T0));
      const records = writtenLog(sent, FROM).flatMap((own) => own.slice(1));
      await log.append(INTAKE_TOPIC, records);
    } finally {
      await log.close();
    }
  }

  async function runOn({ url }: TestDatabase, ...args: string[]) {
    const terminal = recordingTerminal({ DATABASE_URL: url, DATA_DIR: at('none') });
    const exitCode = await runPosture(args, terminal);
    return { exitCode, out: terminal.out(), err: terminal.err() };
  }

  const repartition = (from: string, to: string, ...options: string[]) =>
    run('repartition', at(from), at(to), '--partitions', String(TO), ...options);

  async function seenOf({ pool }: TestDatabase): Promise<Record<string, string[]>> {
    const seen: Record<string, string[]> = {};
    for (const [name, select] of Object.entries(SEEN)) {
      const { rows } = await pool.query(`select to_jsonb(s)::text as row from (${select}) s order by 1`);
      seen[name] = rows.map(({ row }) => row);
    }
    return seen;
  }

  const filesOf = async (folder: string): Promise<Record<string, Buffer>> => {
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    );
    const paths = names.map(({ parentPath, name }) => join(parentPath, name)).sort();
    return Object.fromEntries(
      await Promise.all(paths.map(async (path) => [path.slice(folder.length), await readFile(path)])),
    );
  };

  it('makes a backup that a new site with more partitions is restored from, and nothing is lost', async () => {
    const { exitCode, out, err } = await repartition('old', 'new');
    expect([exitCode, out]).toEqual([
      0,
      expect.stringMatching(
        /^Placed {5}\d+ records in 6 partitions as log \S+\nNext {7}LOG_PARTITIONS=6 posture restore .*new, /,
      ),
    ]);
    expect(err).toContain('Placing: ');
    expect(await readFile(at('new/erasures.txt'), 'utf8')).toBe(ERASED);
    const target = await testDatabase();
    targets.push(target);
    expect(await runOn(target, 'restore', at('new'))).toMatchObject({ exitCode: 0 });
    const seen = await seenOf(target);
    expect(seen).toEqual(await seenOf(site));
    expect(Object.values(seen).every((rows) => rows.length > 0)).toBe(true);
    const { rows } = await target.pool.query('select count(distinct partition)::int as used from assets');
    expect(rows).toEqual([{ used: TO }]);
    expect((await runOn(target, 'verify')).out).toMatch(/^Clean: /);
  });

  it('has its webhooks deliver all changes again, which are numbered anew', async () => {
    const { rows } = await targets[0]!.pool.query('select position from webhooks where id = $1', [WEBHOOK]);
    expect(rows).toEqual([{ position: `f:${Array.from({ length: TO }, () => 0).join('.')}` }]);
  });

  it('names the old log, and the end of the partition that the records come from, in each first record', async () => {
    const [old, made] = [await Backup.open(at('old')), await Backup.open(at('new'))];
    for (let partition = 0; partition < TO; partition += 1) {
      const [first] = (await made.partition(partition)[Symbol.asyncIterator]().next()).value;
      const isOfOrganization = partition === partitionOf(ORGANIZATION_KEY, TO);
      expect(first.key).toBe(isOfOrganization ? ORGANIZATION_KEY : `log:${partition}`);
      expect(decodeIntake(first.value).payload).toMatchObject({
        type: 'LogOpened',
        logId: made.tables.logId,
        partitions: TO,
        scoringModel: isOfOrganization ? 'posture-2' : null,
        repartitionedFrom: {
          logId: old.tables.logId,
          head: old.tables.positions[partition % FROM]!.head.toString('hex'),
        },
      });
    }
  });

  it('continues after an interruption, and makes the same files again', async () => {
    const whole = await filesOf(at('new'));
    await cp(at('new'), at('cut'), { recursive: true });
    const segments = (await readdir(at('cut/log'))).sort();
    await Promise.all(segments.slice(-2).map((name) => rm(join(at('cut/log'), name))));
    await rm(at('cut/tables.posture-backup'));
    const resumed = await repartition('old', 'cut');
    expect([resumed.exitCode, resumed.out]).toEqual([0, expect.stringMatching(/; \d+ were complete\n/)]);
    expect(await filesOf(at('cut'))).toEqual(whole);
    expect(JSON.parse((await repartition('old', 'cut', '--json')).out)).toMatchObject({
      ok: true,
      partitions: TO,
      written: 0,
    });
    expect(await filesOf(at('cut'))).toEqual(whole);
  });

  it('has the tables and keys of a later backup of the same log', async () => {
    await cp(at('old'), at('again'), { recursive: true });
    await cp(at('new'), at('new-again'), { recursive: true });
    await site.pool.query(`update webhooks set secret = 'sealed anew'`);
    await site.pool.query(
      `insert into subject_keys (subject, wrapped) values ('33333333-3333-4333-8333-333333333333', 'wrapped anew')`,
    );
    expect((await run('backup', at('again'))).exitCode).toBe(0);
    expect(JSON.parse((await repartition('again', 'new-again', '--json')).out)).toMatchObject({ written: 0 });
    const target = await testDatabase();
    targets.push(target);
    expect(await runOn(target, 'restore', at('new-again'))).toMatchObject({ exitCode: 0 });
    const { rows } = await target.pool.query(
      'select secret, (select array_agg(wrapped) from subject_keys) as keys from webhooks',
    );
    expect(rows).toEqual([{ secret: 'sealed anew', keys: ['wrapped anew'] }]);
  });

  it('rejects a number that is no multiple, a missing backup, and a directory of another log', async () => {
    const refused = (err: RegExp) => ({ exitCode: 2, out: '', err: expect.stringMatching(err) });
    for (const partitions of ['2', '5']) {
      expect(await run('repartition', at('old'), at('x'), '--partitions', partitions)).toMatchObject(
        refused(/the log has 2 partitions: the new number must be a multiple of it, from 4 on \(got [25]\)/),
      );
    }
    expect(await run('repartition', at('old'), at('x'), '--partitions', '2000')).toMatchObject(
      refused(/Expected an integer from 2 to 512/),
    );
    expect(await repartition('missing', 'x')).toMatchObject(refused(/missing contains no tables/));
    expect(await repartition('old', 'old/x')).toMatchObject(refused(/must be outside of the backup/));
    await expect(readdir(at('x'))).rejects.toThrow('ENOENT');
    await append([{ what: 'settings' }]);
    await cp(at('old'), at('later'), { recursive: true });
    expect((await run('backup', at('later'))).exitCode).toBe(0);
    expect(await repartition('later', 'new')).toMatchObject(refused(/belongs to log \S+, but this is log/));
  });
});
