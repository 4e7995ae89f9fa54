import { expect, it } from '@jest/globals';
import { csvFormat } from './csv-format.ts';

it('CSV has a header row, and a row for each item', () => {
  const csv = csvFormat<[string, number]>({
    first: ([first]) => first,
    'the second': ([, second]) => second,
  });
  expect(csv.beginning() + csv.items([['a;=1', 2]], true) + csv.end()).toBe(
    'first,the second\r\n"a;\'=1",2\r\n',
  );
});
