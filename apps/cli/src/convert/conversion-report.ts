import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { StorageError } from '#libs/durable-file';
import type { LedgerLines, Place } from '#libs/reports';
import { usageError } from '../cli-error.ts';
import { undoneOnInterruption } from '../interruption.ts';

/** Entries are written in pieces of about this size. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * The file of `--report`: `{entries: [{what, file, place, name, text}], …totals}`. Entries are written as they come,
 * so that it may be longer than memory; the file has its name when it is complete.
 */
export class ConversionReport implements LedgerLines {
  private isFirst = true;
  private unwritten = '{"entries":[';

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
  ) {}

  /** @throws CliError exit 2 if it cannot be written */
  static async create(path: string): Promise<ConversionReport> {
    const file = await open(`${path}.part`, 'w', 0o600).catch((error: NodeJS.ErrnoException) => {
      throw usageError(`cannot write ${path} (${error.code})`);
    });
    return new ConversionReport(path, file);
  }

  /** @throws StorageError */
  async add(what: 'not mapped' | 'note', { file, place, name }: Place, text: string): Promise<void> {
    const entry = JSON.stringify({ what, file, place, name, text });
    this.unwritten += `${this.isFirst ? '' : ','}\n${entry}`;
    this.isFirst = false;
    if (this.unwritten.length >= PIECE_CHARACTERS) await this.write();
  }

  /**
   * @param totals become the members after the entries
   * @throws StorageError
   */
  async finish(totals: object): Promise<void> {
    this.unwritten += `\n],${JSON.stringify(totals).slice(1)}\n`;
    await this.write();
    await this.file.close();
    await rename(`${this.path}.part`, this.path);
    await this.discard();
  }

  private async write(): Promise<void> {
    const text = this.unwritten;
    this.unwritten = '';
    await this.file.writeFile(text).catch((error) => {
      throw new StorageError(this.path, error);
    });
  }

  /** Leaves nothing but the file that is complete. */
  readonly discard = undoneOnInterruption(async () => {
    await this.file.close();
    await rm(`${this.path}.part`, { force: true });
  });
}
