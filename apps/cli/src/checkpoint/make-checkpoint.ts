import { stat } from 'node:fs/promises';
import { checkpointSite } from '#libs/replay';
import { foldOnSite } from '../fold-on-site.ts';
import type { FoldOptions } from '../fold-options.ts';
import { assertNew } from '../log/new-file.ts';
import type { Terminal } from '../terminal.ts';

/**
 * A file appears under its name when it is complete and on the disk.
 * @throws CliError as `assertNew` and `foldOnSite`
 */
export async function makeCheckpoint(file: string, options: FoldOptions, terminal: Terminal): Promise<void> {
  await assertNew(file);
  const made = await foldOnSite(options, terminal, ({ database, log }, fold) =>
    checkpointSite(database, log, file, fold),
  );
  const { size: bytes } = await stat(file);
  const { logId, records, folded, positions } = made;
  const since = options.from === undefined ? '' : `; ${folded} records folded since ${options.from}`;
  terminal.stdout.write(
    options.json
      ? `${JSON.stringify({ ok: true, logId, records, folded, bytes, positions: positions.map(({ next }) => next) })}\n`
      : `Checkpoint of ${records} records of log ${logId}, ${positions.length} partitions${since}\n`,
  );
}
