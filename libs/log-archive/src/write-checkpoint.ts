import { CHECKPOINT_FILE, CHECKPOINT_FRAMES, type Checkpoint, type CheckpointTable } from './checkpoint.ts';
import type { FileKind } from './container.ts';
import { evenPieces } from './even-pieces.ts';
import { seal } from './seal.ts';
import { writeNewFile } from './write-new-file.ts';

/** Of rows in one frame. */
const PIECE_BYTES = 64 * 1024;

/**
 * Writes a checkpoint file; it appears under its name when it is whole.
 * @param tables each is read to its end before the next one is requested
 * @param kind of file, for other tables than the folded ones
 * @throws errors of the tables, and of the file system; no file is left then
 */
export async function writeCheckpoint(
  path: string,
  checkpoint: Checkpoint,
  tables: AsyncIterable<CheckpointTable>,
  kind: FileKind = CHECKPOINT_FILE,
): Promise<void> {
  async function* frames(): AsyncGenerator<Buffer> {
    yield CHECKPOINT_FRAMES.encode({ Header: checkpoint });
    let count = 0;
    for await (const { name, columns, rows } of tables) {
      count += 1;
      yield CHECKPOINT_FRAMES.encode({ Table: { name, columns } });
      for await (const text of evenPieces(rows, PIECE_BYTES))
        yield CHECKPOINT_FRAMES.encode({ Rows: { text } });
    }
    yield CHECKPOINT_FRAMES.encode({ End: { tables: count } });
  }

  await writeNewFile(path, (stream) => seal(kind, frames, stream, true));
}
