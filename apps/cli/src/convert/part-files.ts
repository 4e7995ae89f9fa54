import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type SignalEntry, zipEntryOf } from '#libs/reports';
import { writeZip } from '#libs/signal-zips';
import { failure, usageError } from '../cli-error.ts';
import { undoneOnInterruption } from '../interruption.ts';

/** A ZIP that was written. */
export interface WrittenZip {
  file: string;
  bytes: number;
  signals: number;
}

/**
 * The ZIPs of `--out`: `signals.zip`, or `signals-001.zip` and so on if there are several. They have their names when
 * all of them are written, so that a call that fails leaves none.
 */
export class PartFiles {
  private readonly parts: { path: string; bytes: number; signals: number }[] = [];

  private constructor(
    private readonly out: string,
    private readonly config: Buffer | null,
    /** Of an earlier call. */
    private readonly earlier: string[],
  ) {}

  /**
   * @param overwrites removes the ZIPs of an earlier call, which would otherwise be uploaded with the new ones
   * @throws CliError exit 2 if there are such and they may not be removed, or the folder cannot be read
   */
  static async create(out: string, config: Buffer | null, overwrites: boolean): Promise<PartFiles> {
    if (extname(out).toLowerCase() !== '.zip') throw usageError(`--out ${out} must end in .zip`);
    const earlier = await earlierFiles(out);
    if (earlier.length > 0 && !overwrites) {
      throw usageError(`${earlier[0]} already exists`, [
        `--force removes ${earlier.map((file) => basename(file)).join(', ')}`,
      ]);
    }
    return new PartFiles(out, config, earlier);
  }

  async write(entries: SignalEntry[]): Promise<void> {
    const zip = await writeZip(entries.map(zipEntryOf), this.config);
    const path = join(
      dirname(this.out),
      `.${basename(this.out)}.${process.pid}.${this.parts.length + 1}.part`,
    );
    this.parts.push({ path, bytes: zip.length, signals: entries.length });
    await writeFile(path, zip, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      throw failure(`cannot write to the folder of ${this.out} (${error.code})`);
    });
  }

  /** The written ZIPs, with the names that `finish` gives them. */
  get zips(): WrittenZip[] {
    return this.parts.map(({ bytes, signals }, index) => ({
      file: this.parts.length === 1 ? this.out : partName(this.out, index + 1),
      bytes,
      signals,
    }));
  }

  async finish(): Promise<void> {
    await Promise.all(this.earlier.map((file) => rm(file, { force: true })));
    for (const [index, { file }] of this.zips.entries()) await rename(this.parts[index]!.path, file);
  }

  readonly discard = undoneOnInterruption(async () => {
    await Promise.all(this.parts.map(({ path }) => rm(path, { force: true })));
  });
}

const stemOf = (out: string): string => basename(out).slice(0, -'.zip'.length);

const partName = (out: string, number: number): string =>
  join(dirname(out), `${stemOf(out)}-${String(number).padStart(3, '0')}${extname(out)}`);

/** From here on a number may be a year or a date: only an unbroken sequence of them is a run's. */
const LONGER_NUMBER = 1_000;

/** Also parts after some that are gone: users remove what they have uploaded. */
async function earlierFiles(out: string): Promise<string[]> {
  const list = await readdir(dirname(out)).catch((error: NodeJS.ErrnoException): never => {
    throw usageError(`the folder of --out ${out} cannot be read (${error.code})`);
  });
  const names = new Set(list);
  const isThere = (file: string) => names.has(basename(file));
  const files = [out];
  for (let number = 1; number < LONGER_NUMBER || isThere(partName(out, number)); number += 1) {
    files.push(partName(out, number));
  }
  return files.filter(isThere);
}
