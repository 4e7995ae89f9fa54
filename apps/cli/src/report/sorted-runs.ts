import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { linesOf } from './lines-of.ts';
import type { ReportAsset } from './report-content.ts';

/** Files that are read at once: a log has up to 1,024 partitions. */
const RUNS_MAX = 64;

/**
 * Assets in one order over all partitions, without holding more than one partition and one asset of each file in
 * memory: each partition's are written to a temporary file in their order, and merged from there. The folder is
 * readable by its owner alone.
 */
export class SortedRuns {
  private files: string[] = [];
  private made = 0;

  private constructor(private readonly folder: string) {}

  static async create(): Promise<SortedRuns> {
    return new SortedRuns(await mkdtemp(join(tmpdir(), 'posture-report-')));
  }

  /** Adds assets in any order; they are taken one after the other and sorted by their keys. */
  async add(assets: Iterable<ReportAsset>): Promise<void> {
    const sorted = [...assets].sort(byNameAndId);
    if (sorted.length === 0) return;
    this.files.push(await this.write(sorted));
    if (this.files.length < RUNS_MAX) return;
    const merged = await this.write(this.merged());
    await Promise.all(this.files.map((file) => rm(file)));
    this.files = [merged];
  }

  /** All of them, by name, then id, both by code unit. */
  async *merged(): AsyncGenerator<ReportAsset> {
    const runs = this.files.map(read);
    try {
      const open = [];
      for (const run of runs) {
        const { value } = await run.next();
        if (value) open.push({ run, head: value });
      }
      while (open.length > 0) {
        const least = open.reduce((a, b) => (byNameAndId(b.head, a.head) < 0 ? b : a));
        yield least.head;
        const { value } = await least.run.next();
        if (value) least.head = value;
        else open.splice(open.indexOf(least), 1);
      }
    } finally {
      await Promise.all(runs.map((run) => run.return(undefined)));
    }
  }

  /** Removes the files. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  private async write(assets: Iterable<ReportAsset> | AsyncIterable<ReportAsset>): Promise<string> {
    this.made += 1;
    const file = join(this.folder, `${this.made}.jsonl`);
    await pipeline(linesFor(assets), createWriteStream(file, { mode: 0o600 }));
    return file;
  }
}

async function* linesFor(assets: Iterable<ReportAsset> | AsyncIterable<ReportAsset>): AsyncGenerator<string> {
  for await (const asset of assets) yield `${JSON.stringify(asset)}\n`;
}

async function* read(file: string): AsyncGenerator<ReportAsset, undefined> {
  for await (const line of linesOf(createReadStream(file))) yield JSON.parse(line.toString('utf8'));
  return undefined;
}

const byNameAndId = (a: ReportAsset, b: ReportAsset): number => {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
};
