import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';

/** Compressible. @param bytes length of the JSON text */
const json = (bytes: number) => JSON.stringify('a'.repeat(bytes - 2));

/** With the column of the text that is as large as the finding. */
const INSERTS: [table: string, column: string, number: string, insert: string][] = [
  [
    'log_records',
    'value',
    '"offset"',
    `insert into log_records (topic, partition, "offset", key, value) values ('t', 0, $2, 'k', convert_to($1, 'UTF8'))`,
  ],
  [
    'findings',
    'body',
    'finding_no',
    `insert into findings (asset_no, finding_no, id, partition, type, name, state, severity_value, cves, techniques, version, body)
     values (1, $2::bigint, gen_random_uuid(), 0, 'va', 'n', 'Failed', 1, '{}', '{}', 1, $1::json)`,
  ],
  [
    'finding_history',
    'body',
    'sequence',
    `insert into finding_history (partition, sequence, asset_no, finding_no, at, change, to_state, cause, log_offset, body)
     values (0, $2, 1, 1, now(), 'created', 'Failed', '{}', 1, $1::json)`,
  ],
];

describe('rows of findings', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it.each(INSERTS)(
    'of up to a third of a page are stored as they are, larger ones compressed: %s',
    async (table, column, number, insert) => {
      await database.pool.query(insert, [json(2_300), 1]);
      await database.pool.query(insert, [json(4_000), 2]);
      const { rows } = await database.pool.query(
        `select pg_column_compression(${column}) is not null as "isCompressed" from ${table} order by ${number}`,
      );
      expect(rows).toEqual([{ isCompressed: false }, { isCompressed: true }]);
    },
  );
});
