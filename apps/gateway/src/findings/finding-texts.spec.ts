import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { readFindingTexts } from './finding-texts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.pool.query(
    'truncate findings, finding_history, finding_texts, finding_texts_read, projection_positions',
  );
});

/** Changes so many findings of a partition, each to one of `texts` texts. */
async function addChanges(partition: number, changes: number, texts: number, word: string): Promise<void> {
  await database.pool.query(
    `insert into finding_history
       select ${partition}, coalesce(p.finding_sequence, 0) + n, ${partition}, n, now(), 'created', null, 'Failed', null,
              '{}', n, '{}', null
         from generate_series(1, ${changes}) n
         left join projection_positions p on p.partition = ${partition};
     insert into findings as f (asset_no, finding_no, id, partition, type, name, state, severity_value, cves,
                                techniques, version, body)
       select ${partition}, n, gen_random_uuid(), ${partition}, 'va', '${word}' || n % ${texts}, 'Failed', 1, '{}', '{}',
              1, '{"description": "tells of it"}'
         from generate_series(1, ${changes}) n
       on conflict (asset_no, finding_no) do update set name = excluded.name, version = f.version + 1;
     insert into projection_positions (partition, finding_sequence) values (${partition}, ${changes})
       on conflict (partition) do update set
         finding_sequence = projection_positions.finding_sequence + ${changes}`,
  );
}

const found = async (word: string): Promise<number> => {
  const { rows } = await database.pool.query(
    `select count(*) from finding_texts where words @@ to_tsquery('simple', $1)`,
    [word],
  );
  return Number(rows[0].count);
};

describe('the texts that searches look into', () => {
  it('contain each text of the history once, and reading resumes at the last position', async () => {
    await addChanges(0, 5_000, 10, 'alpha');
    await addChanges(1, 30, 3, 'alpha');
    expect(await readFindingTexts(database.db, 100_000)).toBe(true);
    expect([await found('alpha7'), await found('alpha:*'), await found('tells <-> of')]).toEqual([1, 10, 10]);
    await addChanges(1, 5, 5, 'beta');
    expect(await readFindingTexts(database.db, 100)).toBe(true);
    expect(await found('beta:*')).toBe(5);
  });

  it('do not contain a text that was replaced before it was read', async () => {
    await addChanges(0, 10, 1, 'alpha');
    await addChanges(0, 10, 1, 'beta');
    expect(await readFindingTexts(database.db, 100)).toBe(true);
    expect([await found('alpha:*'), await found('beta:*')]).toEqual([0, 1]);
  });

  it('are read so many changes at a time', async () => {
    await addChanges(0, 5_000, 5_000, 'gamma');
    expect(await readFindingTexts(database.db, 2_000)).toBe(false);
    expect(await found('gamma:*')).toBe(2_000);
    while (!(await readFindingTexts(database.db, 2_000)));
    expect(await found('gamma:*')).toBe(5_000);
  });

  it('contain the texts of the new history after a replay', async () => {
    await addChanges(0, 10, 10, 'delta');
    await readFindingTexts(database.db, 1_000);
    await database.pool.query(
      `alter table finding_history rename to finding_history_before;
       create table finding_history (like finding_history_before including all);
       truncate findings;
       update projection_positions set finding_sequence = 0`,
    );
    await addChanges(0, 10, 10, 'epsilon');
    expect(await readFindingTexts(database.db, 1_000)).toBe(true);
    expect(await found('epsilon:*')).toBe(10);
  });

  it('are the same for any number of concurrent readers', async () => {
    await addChanges(0, 6_000, 3_000, 'zeta');
    await addChanges(1, 6_000, 3_000, 'zeta');
    const readers = [1, 2, 3, 4].map(() => readFindingTexts(database.db, 100_000));
    expect(await Promise.all(readers)).toEqual([true, true, true, true]);
    expect(await found('zeta:*')).toBe(3_000);
  });
});
