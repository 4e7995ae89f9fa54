const LINE_FEED = 10;
/** Above every line that a report has: a file without line feeds must not fill the memory. */
const LINE_BYTES_MAX = 256 * 1024 * 1024;

/** A line is longer than any of a report. */
export class LineTooLongError extends Error {
  override name = 'LineTooLongError';
}

/**
 * The lines of a stream of bytes, each with its line feed; the last one may have none. Bytes, not text: invalid UTF-8
 * is unchanged, and only a line feed ends a line.
 * @throws LineTooLongError beyond 256 MiB
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end + 1);
      yield pieces.length === 0 ? rest : Buffer.concat([...pieces, rest]);
      pieces = [];
      length = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    pieces.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > LINE_BYTES_MAX)
      throw new LineTooLongError(`is not a report: a line is longer than ${LINE_BYTES_MAX} bytes`);
  }
  if (length > 0) yield Buffer.concat(pieces);
}
