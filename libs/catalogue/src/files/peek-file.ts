import type { CatalogueFile } from './catalogue-file.ts';

const PEEKED_BYTES = 1000;

/** The beginning of a file as text, and the file, which can still be read from its beginning. */
export async function peekFile(file: CatalogueFile): Promise<{ start: string; file: CatalogueFile }> {
  const chunks = file.content()[Symbol.asyncIterator]();
  const first = await chunks.next();
  const start: Buffer = first.done ? Buffer.alloc(0) : first.value;
  async function* content() {
    try {
      yield start;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  }
  return { start: start.subarray(0, PEEKED_BYTES).toString(), file: { ...file, content } };
}
