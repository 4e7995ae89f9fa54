import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isFullDisk, StorageError } from '#libs/durable-file';
import { linesOf } from '#libs/readers';

/** Files that are read at once. */
const RUNS_MAX = 64;

/**
 * Records in one order, without holding more than one batch and one record of each file in memory: each batch is
 * written to a temporary file in its order, and merged from there. A record must be what JSON keeps.
 */
export class SortedRuns<T> {
  private files: string[] = [];
  private made = 0;

  /**
   * @param folder an empty one for the files, which whoever made it removes
   * @param compare a total order
   * @param onWrite receives the bytes of each line before it is written; what it throws ends the writing
   */
  constructor(
    private readonly folder: string,
    private readonly compare: (a: T, b: T) => number,
    private readonly onWrite: (bytes: number) => void = () => {},
  ) {}

  /**
   * Adds a batch of records in any order.
   * @throws StorageError if the disk is full
   */
  async add(records: Iterable<T>): Promise<void> {
    const sorted = [...records].sort(this.compare);
    if (sorted.length === 0) return;
    this.files.push(await this.write(sorted));
    if (this.files.length < RUNS_MAX) return;
    const merged = await this.write(this.merged());
    await Promise.all(this.files.map((file) => rm(file)));
    this.files = [merged];
  }

  /** All of them, in order. */
  async *merged(): AsyncGenerator<T> {
    const runs = this.files.map((file) => read<T>(file));
    try {
      const open = [];
      for (const run of runs) {
        const { value } = await run.next();
        if (value) open.push({ run, head: value });
      }
      while (open.length > 0) {
        const least = open.reduce((a, b) => (this.compare(b.head, a.head) < 0 ? b : a));
        yield least.head;
        const { value } = await least.run.next();
        if (value) least.head = value;
        else open.splice(open.indexOf(least), 1);
      }
    } finally {
      await Promise.all(runs.map((run) => run.return(undefined)));
    }
  }

  private async write(records: Iterable<T> | AsyncIterable<T>): Promise<string> {
    this.made += 1;
    const file = join(this.folder, `${this.made}.jsonl`);
    await pipeline(this.linesFor(records), createWriteStream(file, { mode: 0o600 })).catch((error: Error) => {
      throw isFullDisk(error) ? new StorageError(this.folder, error) : error;
    });
    return file;
  }

  private async *linesFor(records: Iterable<T> | AsyncIterable<T>): AsyncGenerator<string> {
    for await (const record of records) {
      const line = `${JSON.stringify(record)}\n`;
      this.onWrite(Buffer.byteLength(line));
      yield line;
    }
  }
}

async function* read<T>(file: string): AsyncGenerator<T, undefined> {
  for await (const line of linesOf(createReadStream(file))) yield JSON.parse(line.toString('utf8'));
  return undefined;
}
