import { replaceTables } from '#libs/backup';
import type { CheckpointFile, CheckpointTable } from '#libs/log-archive';
import type { SubjectRow } from '#libs/subject-keys';
import { copyRow, readCopyRows } from './copy-lines.ts';

const TABLE = 'subject_keys';
const COLUMNS = ['subject', 'lookup', 'wrapped'];
const BYTEA = '\\x';

/** Rows of `subject_keys` in a file of keys. */
export async function readSubjectRows(file: CheckpointFile): Promise<SubjectRow[]> {
  const found: SubjectRow[] = [];
  for await (const { name, columns, rows } of file.readTables()) {
    for await (const row of readCopyRows(rows)) {
      if (name !== TABLE) continue;
      const [subject, lookup, wrapped] = COLUMNS.map((column) => row[columns.indexOf(column)] ?? null);
      found.push({
        subject: subject!,
        lookup: lookup?.slice(BYTEA.length) ?? null,
        wrapped: wrapped ?? '',
      });
    }
  }
  return found;
}

/** The file of keys of the sealed log: new keys, and what else the old one has. */
export async function writeKeys(
  path: string,
  header: Pick<CheckpointFile, 'logId' | 'rules' | 'tables' | 'positions'>,
  rows: readonly SubjectRow[],
  others: () => AsyncIterable<CheckpointTable>,
): Promise<void> {
  async function* tables(): AsyncGenerator<CheckpointTable> {
    for await (const table of others()) {
      if (table.name !== TABLE) yield table;
      else for await (const _ of table.rows);
    }
    yield { name: TABLE, columns: COLUMNS, rows: lines(rows) };
  }
  await replaceTables(path, header, tables());
}

async function* lines(rows: readonly SubjectRow[]): AsyncGenerator<Buffer> {
  for (const { subject, lookup, wrapped } of rows) {
    yield copyRow([subject, lookup === null ? null : `${BYTEA}${lookup}`, wrapped]);
  }
}
