import type { CheckpointFile, CheckpointTable } from '#libs/log-archive';
import { CHECKPOINT_TABLES } from '#libs/tables';
import { CheckpointError } from './checkpoint-error.ts';
import { columnsOf } from './columns-of.ts';
import { copyIn } from './copy-rows.ts';
import { countAll } from './count-all.ts';
import type { Connection } from './queryable.ts';
import type { Shadow } from './shadow.ts';

/**
 * Fills an empty shadow with the rows of a checkpoint, in one transaction.
 * @throws FileError if the file is damaged, CheckpointError if its tables, columns or positions are not as expected;
 *   the shadow stays empty
 */
export async function loadCheckpoint({ database, schema }: Shadow, file: CheckpointFile): Promise<void> {
  const connection = await database.pool.connect();
  try {
    await connection.query('begin');
    await connection.query(
      'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    );
    const missing = new Set<string>(CHECKPOINT_TABLES.map(({ name }) => name));
    for await (const table of file.readTables()) {
      if (!missing.delete(table.name)) {
        throw new CheckpointError(
          `${file.path} contains a table that is not folded, or a table twice: ${table.name}`,
        );
      }
      await loadTable(connection, schema, file, table);
    }
    if (missing.size > 0)
      throw new CheckpointError(`${file.path} lacks the tables ${[...missing].join(', ')}`);
    await assertPositions(connection, schema, file);
    for (const partition of file.positions.keys()) await countAll(connection, partition);
    await connection.query('commit');
    for (const { name } of CHECKPOINT_TABLES) await connection.query(`analyze ${schema}.${name}`);
  } finally {
    connection.release(true);
  }
}

async function loadTable(
  connection: Connection,
  schema: string,
  { path }: CheckpointFile,
  { name, columns, rows }: CheckpointTable,
): Promise<void> {
  const expected = await columnsOf(connection, `${schema}.${name}`);
  if (`${[...columns].sort()}` !== `${[...expected].sort()}`) {
    throw new CheckpointError(
      `${path} has different columns in ${name}: create a new one with \`posture checkpoint\``,
    );
  }
  await copyIn(connection, `${schema}.${name}`, columns, rows);
}

async function assertPositions(connection: Connection, schema: string, file: CheckpointFile): Promise<void> {
  const { rows } = await connection.query(
    `select partition, next_offset from ${schema}.projection_positions order by partition`,
  );
  const found = rows.map(({ partition, next_offset }) => `${partition}: ${next_offset}`).join(', ');
  const named = file.positions.map(({ next }, partition) => `${partition}: ${next}`).join(', ');
  if (found === named) return;
  throw new CheckpointError(
    `${file.path} contains rows of other positions than it states: ${found}, not ${named}`,
  );
}
