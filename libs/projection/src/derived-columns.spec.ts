import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Finding } from '#libs/domain';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { textIdOf } from './derived-columns.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describe('the text of a finding', () => {
  it.each([
    ['without a description', null],
    ['with an empty one', ''],
    ['of several scripts', 'Größe: 値 «ok» \\ "quoted"\n\ttab'],
    ['with the greatest length that is searched', 'a'.repeat(4_000)],
    ['one character longer', `${'a'.repeat(4_000)}b`],
    ['of characters with two code units', '😀'.repeat(3_999)],
    ['of more of them than are searched', `a${'😀'.repeat(4_000)}`],
    ['whose last searched character has two code units', `${'a'.repeat(3_999)}😀😀`],
  ])('is the one that PostgreSQL makes of the row: %s', async (_, description) => {
    const finding = { name: 'naïve 名前', description } as Finding;
    const { rows } = await database.pool.query('select md5(finding_text($1, $2::json)) as id', [
      finding.name,
      JSON.stringify(finding),
    ]);
    expect(textIdOf(finding)).toBe(rows[0].id);
  });
});
