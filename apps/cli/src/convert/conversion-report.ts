import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { LedgerLines, Place } from '#libs/reports';
import { usageError } from '../cli-error.ts';
import { undoneOnInterruption } from '../interruption.ts';

/**
 * The file of `--report`: `{entries: [{what, file, place, name, text}], …totals}`. Entries are written as they come,
 * so that it may be longer than memory; the file has its name when it is complete.
 */
export class ConversionReport implements LedgerLines {
  private isFirst = true;

  private constructor(
    private readonly path: string,
    private readonly stream: WriteStream,
  ) {}

  /** @throws CliError exit 2 if it cannot be written */
  static async create(path: string): Promise<ConversionReport> {
    const stream = createWriteStream(`${path}.part`, { mode: 0o600 });
    await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
      throw usageError(`cannot write ${path} (${error.code})`);
    });
    stream.write('{"entries":[');
    return new ConversionReport(path, stream);
  }

  async add(what: 'not mapped' | 'note', { file, place, name }: Place, text: string): Promise<void> {
    const entry = JSON.stringify({ what, file, place, name, text });
    const isRoomy = this.stream.write(`${this.isFirst ? '' : ','}\n${entry}`);
    this.isFirst = false;
    if (!isRoomy) await once(this.stream, 'drain');
  }

  /** @param totals become the members after the entries */
  async finish(totals: object): Promise<void> {
    this.stream.end(`\n],${JSON.stringify(totals).slice(1)}\n`);
    await once(this.stream, 'close');
    await rename(`${this.path}.part`, this.path);
    await this.discard();
  }

  /** Leaves nothing but the file that is complete. */
  readonly discard = undoneOnInterruption(async () => {
    this.stream.destroy();
    await rm(`${this.path}.part`, { force: true });
  });
}
