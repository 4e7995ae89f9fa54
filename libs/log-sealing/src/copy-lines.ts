import { copyLine } from '#libs/replay';

/** A row in the text format of PostgreSQL's COPY, column by column; null is NULL. */
export type CopyRow = (string | null)[];

const NULL = '\\N';
const ESCAPED: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

const unescaped = (text: string): string | null =>
  text === NULL ? null : text.replace(/\\(.)/g, (_, character: string) => ESCAPED[character] ?? character);

/** @param pieces cut anywhere */
export async function* readCopyRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<CopyRow> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const text = Buffer.concat([rest, piece]);
    let from = 0;
    for (let end = text.indexOf(LINE_FEED); end >= 0; end = text.indexOf(LINE_FEED, from)) {
      yield text.toString('utf8', from, end).split('\t').map(unescaped);
      from = end + 1;
    }
    rest = text.subarray(from);
  }
}

const LINE_FEED = 0x0a;

export const copyRow = (row: CopyRow): Buffer => Buffer.from(copyLine(row));
