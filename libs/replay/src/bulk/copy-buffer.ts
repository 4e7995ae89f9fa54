import { copyIn } from '../copy-rows.ts';
import type { Connection } from '../queryable.ts';
import { type CopyValue, copyLine } from './copy-text.ts';

const FLUSH_CHARACTERS = 4 * 1024 * 1024;

/** Rows of one table on their way by COPY, some megabytes at a time. */
export class CopyBuffer {
  private lines: string[] = [];
  private characters = 0;

  constructor(
    private readonly table: string,
    private readonly columns: readonly string[],
  ) {}

  add(row: Readonly<Record<string, CopyValue>>): void {
    const line = copyLine(this.columns.map((column) => row[column]!));
    this.lines.push(line);
    this.characters += line.length;
  }

  /** Writes the buffer if it is large enough. */
  async flushIfFull(connection: Connection): Promise<void> {
    if (this.characters >= FLUSH_CHARACTERS) await this.flush(connection);
  }

  async flush(connection: Connection): Promise<void> {
    if (this.lines.length === 0) return;
    const rows = Buffer.from(this.lines.join(''));
    this.lines = [];
    this.characters = 0;
    await copyIn(connection, this.table, this.columns, once(rows));
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
