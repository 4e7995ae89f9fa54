import {
  CHECKPOINT_FILE,
  CHECKPOINT_FRAMES,
  type Checkpoint,
  type CheckpointFrame,
  type CheckpointTable,
} from './checkpoint.ts';
import { type Container, chainOf, type FileKind, openContainer } from './container.ts';
import { asFileError } from './file-error.ts';
import { LogContentError } from './log-content-error.ts';
import { readFrames } from './read-frames.ts';

const PARTITIONS_MAX = 1_024;

/** A checkpoint in a file (docs/log-file.md "The file of a checkpoint"). Memory does not grow with it. */
export class CheckpointFile implements Checkpoint {
  private constructor(
    readonly path: string,
    private readonly container: Container,
    private readonly checkpoint: Checkpoint,
  ) {}

  /**
   * Reads only the header.
   * @param kind of file, for other tables than the folded ones
   * @throws FileError if it is no checkpoint, of another format version, or damaged there
   * @throws Error of the file system if it cannot be read
   */
  static async open(path: string, kind: FileKind = CHECKPOINT_FILE): Promise<CheckpointFile> {
    try {
      const container = await openContainer(path, kind);
      for await (const frame of framesOf(container, () => 'in its header')) {
        return new CheckpointFile(path, container, headerOf(frame));
      }
      throw new LogContentError('is damaged in its header: it is empty');
    } catch (error) {
      throw asFileError(path, error);
    }
  }

  get logId(): string {
    return this.checkpoint.logId;
  }

  get rules(): number {
    return this.checkpoint.rules;
  }

  get tables(): string {
    return this.checkpoint.tables;
  }

  get positions() {
    return this.checkpoint.positions;
  }

  /** The chain of its heads. */
  get chain() {
    return chainOf(this.container);
  }

  /** SHA-256 at its end, in hexadecimal digits. It is correct once the file is verified. */
  get checksum(): string {
    return this.container.checksum.toString('hex');
  }

  /** Number of records that it covers. */
  get records(): number {
    return this.positions.reduce((sum, { next }) => sum + next, 0);
  }

  /**
   * Reads all of it.
   * @throws FileError as `readTables`
   */
  async verify(): Promise<void> {
    for await (const { rows } of this.readTables()) for await (const _ of rows);
  }

  /**
   * Reads all of it, table by table; the rows of each must be read before the next one is requested. The rows are valid
   * only after the end was reached: some damage is detected there.
   * @throws FileError at the first place that is damaged or too much
   */
  async *readTables(): AsyncGenerator<CheckpointTable> {
    let where = 'in its header';
    const frames = framesOf(this.container, () => where);
    const next = async (): Promise<CheckpointFrame | undefined> => {
      try {
        const { value, done } = await frames.next();
        return done ? undefined : value;
      } catch (error) {
        throw asFileError(this.path, error);
      }
    };
    const damaged = (what: string) =>
      asFileError(this.path, new LogContentError(`is damaged ${where}: ${what}`));
    try {
      await next();
      let frame = await next();
      let count = 0;
      while (frame && 'Table' in frame) {
        const { name, columns } = frame.Table;
        where = `in table ${name}`;
        count += 1;
        frame = undefined;
        const rows = async function* (): AsyncGenerator<Buffer> {
          for (frame = await next(); frame && 'Rows' in frame; frame = await next()) yield frame.Rows.text;
        };
        yield { name, columns: [...columns], rows: rows() };
      }
      if (!frame || !('End' in frame) || frame.End.tables !== count) throw damaged('it is cut off there');
      where = 'at its end';
      if (await next()) throw damaged('data follows its end');
    } finally {
      await frames.return(undefined);
    }
  }
}

async function* framesOf(container: Container, where: () => string): AsyncGenerator<CheckpointFrame> {
  for await (const frames of readFrames(container, CHECKPOINT_FRAMES, where)) yield* frames;
}

function headerOf(frame: CheckpointFrame): Checkpoint {
  if (!('Header' in frame)) throw new LogContentError('is damaged in its header: the header is missing');
  const { logId, rules, tables, positions } = frame.Header;
  if (positions.length < 1 || positions.length > PARTITIONS_MAX || positions.some(({ next }) => next < 1)) {
    throw new LogContentError(
      `is damaged in its header: it must name 1 to ${PARTITIONS_MAX} partitions, each with a record`,
    );
  }
  return { logId, rules, tables, positions: positions.map((position) => ({ ...position })) };
}
