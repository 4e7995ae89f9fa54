import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { FindingType } from '#libs/domain';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { HistoryRetentionRepository } from './history-retention.repository.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('a long history without changes to remove is skipped in parts', async () => {
  const windows = (limit: number) => new HistoryRetentionRepository(database.db).windows(0, 'va', limit, 2);
  expect(await windows(1_000_000)).toEqual([50_000, 100_000]);
  expect(await windows(60_000)).toEqual([50_000, 60_000]);
  expect(await windows(49_999)).toEqual([]);
});

it('a preview counts all subjects whose keys would be destroyed, and a round destroys some', async () => {
  await database.pool.query(
    `with subjects as (select n, md5(n::text)::uuid as subject from generate_series(1, 501) n),
          keys as (insert into subject_keys (subject, wrapped) select subject, 'a key' from subjects)
     insert into assets (asset_no, id, partition, entity_key, name, type, attack_surface, department, location, sources,
                         custom_fields, state, deleted_at)
     select n, subject, 0,
            'user:~' || translate(rtrim(encode(decode(replace(subject::text, '-', ''), 'hex'), 'base64'), '='), '+/', '-_'),
            '', '', '', '', '', '{}', '{}', '{}', '2026-01-01T00:00:00Z'
       from subjects`,
  );
  const histories = new HistoryRetentionRepository(database.db);
  const days = new Map([['va', 30] as const]);
  const now = Date.parse('2026-03-01T00:00:00Z');
  expect(await histories.countExpiredSubjects(days, now)).toBe(501);
  expect(await histories.expiredSubjects(days, now)).toHaveLength(500);
});

it('a key is kept while another asset of the entity has findings that are kept', async () => {
  await database.pool.query(
    `with keys as (insert into subject_keys (subject, wrapped) values ('${'11'.repeat(16)}', 'a key')),
          twins as (
       insert into assets (asset_no, id, partition, entity_key, name, type, attack_surface, department, location, sources,
                           custom_fields, state, deleted_at)
       select n, gen_random_uuid(), 1, 'machine:~EREREREREREREREREREREQ', '', '', '', '', '', '{}', '{}', '{}',
              '2026-01-01T00:00:00Z'
         from generate_series(1001, 1002) n)
     insert into findings (asset_no, finding_no, id, partition, type, name, state, severity_value, cves, techniques, version,
                           body)
     values (1001, 1, gen_random_uuid(), 1, 'va', '', 'Retired', 0, '{}', '{}', 1, '{}'),
            (1002, 1, gen_random_uuid(), 1, 'ca', '', 'Retired', 0, '{}', '{}', 1, '{}')`,
  );
  const histories = new HistoryRetentionRepository(database.db);
  const now = Date.parse('2026-03-01T00:00:00Z');
  const expiredBy = async (days: [FindingType, number][]) =>
    (await histories.countExpiredSubjects(new Map(days), now)) - 501;
  expect(await expiredBy([['va', 30]])).toBe(0);
  expect(
    await expiredBy([
      ['va', 30],
      ['ca', 30],
    ]),
  ).toBe(1);
});
