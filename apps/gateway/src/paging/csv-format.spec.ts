import { describe, expect, it } from '@jest/globals';
import { type CsvCell, csvFormat, csvList } from './csv-format.ts';

const csv = csvFormat<CsvCell[]>({ first: ([first]) => first!, 'the second': ([, second]) => second! });

describe('CSV (RFC 4180)', () => {
  it.each([
    [['a', 1], 'a,1'],
    [['', null], ','],
    [['a,b', 'say "x"'], '"a,b","say ""x"""'],
    [['two\nlines', 'two\r\nlines'], '"two\nlines","two\r\nlines"'],
    [['=1+1', '+1'], "'=1+1,'+1"],
    [['-1', '@x'], "'-1,'@x"],
    [['\tx', '\rx'], '\'\tx,"\'\rx"'],
    [['=a,"b"', 'a=1'], '"\'=a,""b""",a=1'],
  ] as [CsvCell[], string][])('%j is %j', (item, row) => {
    expect(csv.beginning() + csv.items([item], true) + csv.end()).toBe(`first,the second\r\n${row}\r\n`);
  });

  it('has lists in a cell', () => {
    expect(csvList(['a', 'b'])).toBe('a;b');
  });
});
