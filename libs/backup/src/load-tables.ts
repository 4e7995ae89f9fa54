import type { CheckpointFile, CheckpointTable } from '#libs/log-archive';
import { type Connection, columnsOf, copyIn } from '#libs/replay';
import { BackupError } from './backup-error.ts';
import { OUTSIDE_TABLES } from './outside-tables.ts';

/**
 * Fills the tables that are not folded from the log. A backup of an earlier version may lack tables and columns: those
 * keep the values of their migrations.
 * @param connection in a transaction
 * @throws BackupError if the backup was made by a later version; FileError if it is damaged
 */
export async function loadTables(connection: Connection, file: CheckpointFile): Promise<void> {
  await assertNotLater(connection, file);
  const known = new Set(OUTSIDE_TABLES.map(({ name }) => name));
  for await (const table of file.readTables()) {
    if (!known.delete(table.name)) {
      throw new BackupError(`${file.path} contains an unknown table, or a table twice: ${table.name}`);
    }
    await loadTable(connection, file, table);
  }
}

async function assertNotLater(connection: Connection, { path, tables }: CheckpointFile): Promise<void> {
  const { rows } = await connection.query('select name from migrations where name = $1', [tables]);
  if (rows.length > 0) return;
  throw new BackupError(
    `${path} was created by a later version (${tables}): restore it with that version or a later one`,
  );
}

async function loadTable(
  connection: Connection,
  { path }: CheckpointFile,
  { name, columns, rows }: CheckpointTable,
): Promise<void> {
  const there = new Set(await columnsOf(connection, `public.${name}`));
  const unknown = columns.filter((column) => !there.has(column));
  if (unknown.length > 0) {
    throw new BackupError(
      `${path} has columns in ${name} that no longer exist (${unknown.join(', ')}): restore it with the version that created it, then upgrade`,
    );
  }
  await copyIn(connection, `public.${name}`, columns, rows);
}
