import type { CheckpointFile, CheckpointTable } from '#libs/log-archive';
import { CheckpointError } from './checkpoint-error.ts';
import { columnsOf } from './columns-of.ts';
import { copyIn } from './copy-rows.ts';
import { FOLDED_TABLES } from './folded-tables.ts';
import type { Connection } from './queryable.ts';
import type { Shadow } from './shadow.ts';

/**
 * Fills an empty shadow with the rows of a checkpoint, in one transaction.
 * @throws FileError where the file is damaged, CheckpointError where its rows are not those that it names; the shadow
 *   stays empty
 */
export async function loadCheckpoint({ database, schema }: Shadow, file: CheckpointFile): Promise<void> {
  const connection = await database.pool.connect();
  try {
    await connection.query('begin');
    await connection.query(
      'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    );
    const missing = new Set(FOLDED_TABLES.map(({ name }) => name));
    for await (const table of file.readTables()) {
      if (!missing.delete(table.name)) {
        throw new CheckpointError(
          `${file.path} holds a table that is not folded, or one twice: ${table.name}`,
        );
      }
      await loadTable(connection, schema, file, table);
    }
    if (missing.size > 0)
      throw new CheckpointError(`${file.path} lacks the tables ${[...missing].join(', ')}`);
    await assertPositions(connection, schema, file);
    await connection.query('commit');
    for (const { name } of FOLDED_TABLES) await connection.query(`analyze ${schema}.${name}`);
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
      `${path} has other columns in ${name}: make a new one with \`posture checkpoint\``,
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
    `${file.path} holds rows of other positions than it names: ${found}, not ${named}`,
  );
}
