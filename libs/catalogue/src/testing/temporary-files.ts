import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';

/** A directory for the files of one test. */
export class TemporaryFiles {
  private constructor(readonly path: string) {}

  static async create(): Promise<TemporaryFiles> {
    return new TemporaryFiles(await mkdtemp(join(tmpdir(), 'catalogue-')));
  }

  async write(name: string, content: string | Buffer): Promise<string> {
    const path = join(this.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  }

  async zip(name: string, entries: Record<string, string>): Promise<string> {
    const path = join(this.path, name);
    const zip = new yazl.ZipFile();
    for (const [entry, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), entry);
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(path));
    return path;
  }

  remove = (): Promise<void> => rm(this.path, { recursive: true, force: true });
}

/** All that a reader yields. */
export async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}
