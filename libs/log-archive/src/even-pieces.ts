/** The same bytes in pieces of one size, the last one smaller: the place of a cut says nothing about the content. */
export async function* evenPieces(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    rest.push(chunk);
    size += chunk.length;
    if (size < bytes) continue;
    const whole = Buffer.concat(rest, size);
    let at = 0;
    for (; size - at >= bytes; at += bytes) yield whole.subarray(at, at + bytes);
    rest = [whole.subarray(at)];
    size -= at;
  }
  if (size > 0) yield Buffer.concat(rest, size);
}
