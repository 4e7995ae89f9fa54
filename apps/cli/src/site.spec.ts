import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { readingAt } from '#libs/domain';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { recordingTerminal } from '../../../test/fixtures/cli/simulated-service.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { signal, T0, upload } from '../../../test/support/scenario.ts';
import { runPosture } from './posture.ts';

/** For `ends` of a log that is shorter than what was folded, of which a command asks for ten seconds. */
const SLOW_MS = 60_000;

describe('a command on a log that the tables were not folded from', () => {
  let site: TestDatabase;
  let log: PostgresEventLog;
  let dir: string;

  beforeEach(async () => {
    [site, dir] = await Promise.all([testDatabase(), mkdtemp(join(tmpdir(), 'posture-site-'))]);
    log = new PostgresEventLog({ url: site.url, partitions: 2 });
    await openLog(site.db, log, () => readingAt(T0));
    const entityKey = 'machine:web';
    const events = upload(1, T0, [signal('a'), signal('b')], { entityKey });
    await log.append(
      INTAKE_TOPIC,
      events.map((event) => ({ key: entityKey, value: encodeIntake(event) })),
    );
    expect(await run('replay')).toMatchObject({ exitCode: 0 });
  });
  afterEach(async () => {
    await log.close();
    await site.drop();
    await rm(dir, { recursive: true });
  });

  async function run(...args: string[]) {
    const terminal = recordingTerminal({ DATABASE_URL: site.url, LOG_ARCHIVE: join(dir, 'archive') });
    const exitCode = await runPosture(args, terminal);
    return { exitCode, err: terminal.err() };
  }

  const findings = async () => (await site.pool.query('select name from findings order by 1')).rows;

  async function expectRefused(sentence: RegExp): Promise<void> {
    for (const command of [
      ['replay'],
      ['replay', '--records-lost'],
      ['verify'],
      ['checkpoint', join(dir, 'checkpoint')],
      ['backup', join(dir, 'backup')],
    ]) {
      const { exitCode, err } = await run(...command);
      expect([command, exitCode, err]).toEqual([command, 2, expect.stringMatching(sentence)]);
    }
    expect(await findings()).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(await readdir(dir)).toEqual([]);
  }

  it('changes nothing if KAFKA_BROKERS was forgotten, and the log in the database is empty', async () => {
    await site.pool.query('truncate log_records, log_ends');
    await expectRefused(
      /the database belongs to log \S+, but the log in the database does not begin with an identity: set KAFKA_BROKERS/,
    );
  });

  it('changes nothing if the log belongs to another site', async () => {
    const { rows } = await site.pool.query('select log_id from log_identity');
    await site.pool.query(
      'truncate log_records, log_ends, log_identity; create table positions as table projection_positions; delete from projection_positions',
    );
    const { logId } = await openLog(site.db, log, () => readingAt(T0));
    await site.pool.query('update log_identity set log_id = $1', [rows[0].log_id]);
    await site.pool.query('insert into projection_positions table positions');
    await expectRefused(
      new RegExp(
        `the database belongs to log ${rows[0].log_id}, but the log in the database is ${logId}: set`,
      ),
    );
  });

  it(
    'copies and reads nothing if the log ends before the tables, and replaces them with an older state only on demand',
    async () => {
      const [last] = (
        await site.pool.query(
          `delete from log_records where (partition, "offset") in
             (select partition, max("offset") from log_records where "offset" > 0 group by partition)
           returning partition, "offset"`,
        )
      ).rows;
      await site.pool.query('update log_ends set next_offset = $2 where partition = $1', [
        last.partition,
        last.offset,
      ]);
      const commands = [
        ['replay'],
        ['verify'],
        ['backup', join(dir, 'backup')],
        ['checkpoint', join(dir, 'checkpoint')],
        ['export-log', join(dir, 'export')],
        ['log'],
        ['as-of', '2026-05-31T12:00:00Z'],
      ];
      const refused = await Promise.all(commands.map((command) => run(...command)));
      for (const [n, { exitCode, err }] of refused.entries()) {
        expect([commands[n], exitCode, err]).toEqual([
          commands[n],
          1,
          expect.stringMatching(/the log ends at \d+: .* or this is not the current log\. Set KAFKA_BROKERS/),
        ]);
      }
      expect(await findings()).toHaveLength(2);
      expect(await readdir(dir)).toEqual([]);
      expect(await run('replay', '--records-lost')).toMatchObject({ exitCode: 0 });
      expect(await findings()).toHaveLength(1);
    },
    SLOW_MS,
  );
});
