import { join } from 'node:path';
import { v4 as uuid } from 'uuid';
import {
  type Backup,
  BackupError,
  KEYS_FILE,
  LOG_FOLDER,
  openIfThere,
  replaceTables,
  TABLES_FILE,
} from '#libs/backup';
import { partitionOf } from '#libs/contracts';
import { entityKey } from '#libs/domain';
import { makeFolder } from '#libs/durable-file';
import type { StoredRecord } from '#libs/event-log';
import {
  backUpPartition,
  type CheckpointFile,
  type CheckpointPosition,
  type CheckpointTable,
} from '#libs/log-archive';
import { entityTypeOf, Seals, sealedKey } from '#libs/sealing';
import { keysInRows, newSubjectRows, type SubjectRow } from '#libs/subject-keys';
import type { Vault } from '#libs/vault';
import { NewIds } from './new-ids.ts';
import { OldSubjects } from './old-subjects.ts';
import { type RowSealer, sealedTable } from './outside-texts.ts';
import { RecordSealer } from './record-sealer.ts';
import { readSubjectRows, writeKeys } from './sealed-keys.ts';
import { SealedView } from './sealed-view.ts';

export interface SealedBackup {
  /** Id of the new log. */
  logId: string;
  records: number;
  /** Records that this call has written; the others were complete. */
  written: number;
  /** Users and machines that are entities, and persons who acted. */
  subjects: number;
}

export interface SealBackupOptions {
  /** Wraps the new keys: of the secret of the site that the sealed backup will be restored to. */
  vault: Vault;
  /** Patterns of the machines that are subjects too (`SEAL_MACHINES`). */
  machines?: string | undefined;
  /** Called as it proceeds. */
  onRead?: (records: number, of: number) => void;
  onSealed?: (records: number, of: number) => void;
}

/** The log is read for its subjects, then for the new ids of their findings. */
const READS = 2;

/**
 * Makes a backup of a sealed log from a backup of a log that is not: every record at its partition and offset, its
 * personal texts sealed with new keys. The old backup is unchanged. After an interruption, the same call resumes: the
 * keys are complete before the first record is written, and sealing is deterministic.
 * @param folder of the sealed backup; created if it does not exist
 * @throws BackupError if the log is sealed, or the folder belongs to another one
 * @throws SubjectKeyError if the folder was begun with another secret
 * @throws FileError if a file is damaged; errors of the file system
 */
export async function sealBackup(
  old: Backup,
  folder: string,
  { vault, machines = '', onRead = () => {}, onSealed = () => {} }: SealBackupOptions,
): Promise<SealedBackup> {
  await assertNotSealed(old);
  const known = await openBegun(old, folder);
  const subjects = await subjectsOfBackup(old, machines, (count) =>
    onRead(Math.round(count / READS), old.records),
  );
  const names = [...subjects.partitions.keys()];
  const begun = known ?? { logId: uuid(), rows: newRows(subjects, old.tables.positions.length, vault) };
  const keys = keysInRows(names, begun.rows, vault);
  if (keys.size < names.length) throw otherRun(folder);
  await keepKeys(old, folder, begun);
  const seals = new Seals(keys);
  const ids = new NewIds(seals, subjects.namedIds);
  await readRecords(old, ids.take, (count) => onRead(Math.round((old.records + count) / READS), old.records));
  const view = new SealedView(
    (partition) => old.partition(partition),
    new RecordSealer(seals, ids, begun.logId, old.end),
  );
  const { positions, written } = await sealPartitions(old, view, begun.logId, folder, onSealed);
  const { rules, tables } = old.tables;
  const header = { logId: begun.logId, rules, tables, positions };
  const sealer: RowSealer = {
    personal: (...text) => seals.personal(...text),
    machine: (name) => seals.textOf(entityKey('machine', name), name),
    ids: ids.inText,
  };
  const sealed = tablesOf(old.tables, (table) => sealedTable(table, sealer));
  await replaceTables(join(folder, TABLES_FILE), header, sealed);
  return { logId: begun.logId, records: old.records, written, subjects: names.length };
}

async function assertNotSealed(old: Backup): Promise<void> {
  for (const file of [old.keys, old.tables]) {
    if (!file || (await readSubjectRows(file)).length === 0) continue;
    throw new BackupError(
      `log ${old.tables.logId} already contains sealed texts: ${file.path} has their keys. Only a log without any can be sealed`,
    );
  }
}

/** A sealed log: its id, and the new keys. */
interface Begun {
  logId: string;
  rows: SubjectRow[];
}

/** What an earlier call has begun in the folder. */
async function openBegun(old: Backup, folder: string): Promise<Begun | undefined> {
  const file = await openIfThere(join(folder, KEYS_FILE));
  const tables = await openIfThere(join(folder, TABLES_FILE));
  if (!file) {
    if (tables) throw otherRun(folder);
    return undefined;
  }
  if (tables && tables.logId !== file.logId) throw otherRun(folder);
  const isSame =
    file.positions.length === old.tables.positions.length &&
    old.tables.positions.every(
      ({ next, head }, i) => file.positions[i]!.next === next && file.positions[i]!.head.equals(head),
    );
  if (isSame) return { logId: file.logId, rows: await readSubjectRows(file) };
  throw new BackupError(
    `${folder} was begun from another backup, or the backup has changed since: name a new directory`,
  );
}

const otherRun = (folder: string) =>
  new BackupError(`${folder} does not belong to this backup: name a new directory`);

async function subjectsOfBackup(
  old: Backup,
  machines: string,
  onRead: (records: number) => void,
): Promise<OldSubjects> {
  const subjects = new OldSubjects(machines);
  await readRecords(old, (record) => subjects.take(record), onRead);
  const noting: RowSealer = {
    personal: (user, text = user) => {
      subjects.notePerson(user);
      return text;
    },
    machine: (name) => {
      subjects.noteMachine(name);
      return name;
    },
    ids: subjects.noteIds,
  };
  for await (const { rows } of tablesOf(old.tables, (table) => sealedTable(table, noting))) {
    for await (const _ of rows);
  }
  return subjects;
}

/** @param onRead receives how many records were read */
async function readRecords(
  old: Backup,
  take: (record: StoredRecord) => void,
  onRead: (records: number) => void,
): Promise<void> {
  let read = 0;
  for (const partition of old.tables.positions.keys()) {
    for await (const records of old.partition(partition)) {
      for (const record of records) take(record);
      read += records.length;
      onRead(read);
    }
  }
}

async function* tablesOf(
  file: CheckpointFile,
  change: (table: CheckpointTable) => CheckpointTable,
): AsyncGenerator<CheckpointTable> {
  for await (const table of file.readTables()) yield change(table);
}

const newRows = ({ partitions }: OldSubjects, partitionsOfLog: number, vault: Vault): SubjectRow[] =>
  newSubjectRows(partitions.keys(), vault, (name, subject) => {
    const partition = partitions.get(name) ?? null;
    return (
      partition === null || partitionOf(sealedKey(subject, entityTypeOf(name)), partitionsOfLog) === partition
    );
  });

/**
 * Writes the keys; their header has the end of the old log, which a later call compares. That call keeps them, but not the
 * other tables of the file: those of the old backup may be newer.
 */
async function keepKeys(old: Backup, folder: string, { logId, rows }: Begun): Promise<void> {
  const { positions, rules, tables } = old.tables;
  await makeFolder(folder, 0o700);
  const others = () => old.keys?.readTables() ?? noTables();
  await writeKeys(join(folder, KEYS_FILE), { logId, rules, tables, positions }, rows, others);
}

async function* noTables(): AsyncGenerator<CheckpointTable> {}

async function sealPartitions(
  old: Backup,
  view: SealedView,
  logId: string,
  folder: string,
  onSealed: (records: number, of: number) => void,
): Promise<{ positions: CheckpointPosition[]; written: number }> {
  const logFolder = join(folder, LOG_FOLDER);
  await makeFolder(logFolder, 0o700);
  const positions: CheckpointPosition[] = [];
  let [written, done] = [0, 0];
  for (const [partition, { next: to }] of old.tables.positions.entries()) {
    const target = { logId, partitions: old.tables.positions.length, partition, to, known: undefined };
    const sealed = await backUpPartition(view, target, logFolder, (count) => {
      done += count;
      onSealed(Math.min(old.records, Math.round(done)), old.records);
    });
    const { written: count, ...position } = sealed;
    positions.push(position);
    written += count;
  }
  return { positions, written };
}
