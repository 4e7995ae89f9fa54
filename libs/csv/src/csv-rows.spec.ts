import { describe, expect, it } from '@jest/globals';
import { type CsvCell, csvList, csvRows } from './csv-rows.ts';

describe('CSV (RFC 4180)', () => {
  it.each([
    [['a', 1], 'a,1'],
    [['', null], ','],
    [['a,b', 'say "x"'], '"a,b","say ""x"""'],
    [['two\nlines', 'two\r\nlines'], '"two\nlines","two\r\nlines"'],
    [['=1+1', '+1'], "'=1+1,'+1"],
    [['-1', '@x', -1], "'-1,'@x,-1"],
    [['＝1', '＋1', '－1', '＠x'], "'＝1,'＋1,'－1,'＠x"],
    [['\tx', '\rx'], '\'\tx,"\'\rx"'],
    [['=a,"b"', 'a=1'], '"\'=a,""b""",a=1'],
    // For a spreadsheet that splits at semicolons.
    [['a;=1+1', 'a;b=1'], '"a;\'=1+1","a;b=1"'],
    [[';;@x;\t=1', 'a; b'], '";;\'@x;\'\t=1","a; b"'],
    [['x";=1+1;"'], '"x"";\'=1+1;"""'],
    [['a\n=1+1', 'b\n\n@x'], '"a\n\'=1+1","b\n\n\'@x"'],
  ] as [CsvCell[], string][])('%j is %j', (cells, row) => {
    expect(csvRows([['first', 'second'], cells])).toBe(`first,second\r\n${row}\r\n`);
  });

  it('has lists in a cell', () => {
    expect(csvList(['a', 'b'])).toBe('a;b');
  });
});
