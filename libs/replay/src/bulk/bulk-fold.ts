import type { HistoryTrim } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { type CausedChange, type DecodedRecord, PartitionFold } from '#libs/fold';
import { actRow, trimHistory } from '#libs/projection';
import { type FoldedTableName, foldedTable } from '#libs/tables';
import { countAll } from '../count-all.ts';
import { longQuery } from '../long-query.ts';
import type { Connection } from '../queryable.ts';
import {
  assetHistoryRow,
  assetRow,
  assetSeenRow,
  type BulkRow,
  findingHistoryRow,
  findingRow,
  findingSeenRow,
  organizationRow,
  positionRow,
  quarantineRow,
  uploadRow,
} from './bulk-rows.ts';
import { CopyBuffer } from './copy-buffer.ts';

/** Estimated bytes in memory: of text and its objects, for each character of JSON; of objects without text. */
const BYTES_PER_CHARACTER = 3;
const UPLOAD_BYTES = 1_280;
const ENTITY_BYTES = 1_024;

/** For the transaction, also on the machines of Citus; without meaning elsewhere. */
const LOOK_UPS_ONLY = `
  set local citus.propagate_set_commands = 'local';
  set local enable_seqscan = off;
  set local enable_hashjoin = off;
  set local enable_mergejoin = off`;
const ANY_PLAN = `
  set local enable_seqscan to default;
  set local enable_hashjoin to default;
  set local enable_mergejoin to default`;

/**
 * Folds a partition from its beginning in memory and writes each row once, by COPY: history continuously, the rest
 * at the end. For tables without rows of the partition; the fold itself is the projector's.
 */
export class BulkFold {
  private readonly fold: PartitionFold;
  private readonly characters = new Map<string, number>();
  private readonly buffers = new Map<FoldedTableName, CopyBuffer>();
  /** Events that a wrong clock had stamped, and that changed nothing. */
  setAside = 0;
  private organizationKey: string | null = null;
  private textCharacters = 0;
  private readonly trims: HistoryTrim[] = [];

  constructor(
    private readonly connection: Connection,
    private readonly partition: number,
  ) {
    this.fold = new PartitionFold(partition);
  }

  /** Offset after the last record taken. */
  get position(): number {
    return this.fold.nextOffset;
  }

  /** Estimated bytes in memory. */
  get heldBytes(): number {
    return (
      BYTES_PER_CHARACTER * this.textCharacters +
      ENTITY_BYTES * this.fold.entities.size +
      UPLOAD_BYTES * this.fold.state.uploads.size
    );
  }

  /** @throws LogHoleError, UnknownRecordError: nothing is folded past them */
  async take(records: StoredRecord[]): Promise<void> {
    const { decoded, quarantined } = this.fold.decode(records);
    for (const { record } of decoded) this.fold.ensureEntity(record.key);
    const end = records.at(-1)!.offset + 1;
    for (let rest = decoded; this.fold.nextOffset < end; ) rest = rest.slice(await this.takeFirst(rest, end));
    for (const record of quarantined) this.add('quarantine', quarantineRow(this.partition, record));
    await this.flushFull();
  }

  /** Writes the state of the partition, with its position. */
  async finish(): Promise<void> {
    for (const [key, { assets }] of this.fold.entities) {
      for (const asset of assets) {
        this.add('assets', assetRow(this.partition, key, asset));
        this.add('asset_seen', assetSeenRow(this.partition, asset));
        for (const tracked of asset.findings.values()) {
          this.add('findings', findingRow(this.partition, asset.asset.number, tracked));
          this.add('finding_seen', findingSeenRow(this.partition, asset.asset.number, tracked));
        }
      }
      await this.flushFull();
    }
    if (this.organizationKey !== null) {
      const { organization } = this.fold.entities.get(this.organizationKey)!;
      this.add('organization', organizationRow(this.partition, this.organizationKey, organization!));
    }
    for (const upload of this.fold.state.uploads.values()) {
      this.add('upload_progress', uploadRow(this.partition, upload));
      await this.buffers.get('upload_progress')!.flushIfFull(this.connection);
    }
    this.add('projection_positions', positionRow(this.partition, this.fold.position));
    for (const buffer of this.buffers.values()) await buffer.flush(this.connection);
    await this.trim();
    await countAll(this.connection, this.partition);
  }

  /** At the end, since no later change is affected: see `BatchEffects`. */
  private async trim(): Promise<void> {
    if (this.trims.length === 0) return;
    // Without statistics PostgreSQL would scan the whole history for each. An ANALYZE would lock the tables against
    // that of another partition until the commit.
    await this.connection.query(LOOK_UPS_ONLY);
    const query = (statement: string, values: unknown[]) =>
      this.connection.query(longQuery(statement, values));
    await trimHistory(query, this.partition, this.trims);
    await this.connection.query(ANY_PLAN);
  }

  /** As many of the first as the memory holds the changes of; returns how many. */
  private async takeFirst(decoded: DecodedRecord[], end: number): Promise<number> {
    const { folded, setAside, changes, acts, organization, trims } = this.fold.foldBatch(decoded, end);
    this.setAside += setAside;
    for (const change of changes) this.addChange(change);
    for (const act of acts) this.add('acts', actRow(this.partition, act));
    this.trims.push(...trims);
    this.organizationKey = organization?.key ?? this.organizationKey;
    await this.flushFull();
    return folded;
  }

  private async flushFull(): Promise<void> {
    for (const buffer of this.buffers.values()) await buffer.flushIfFull(this.connection);
  }

  private addChange(caused: CausedChange): void {
    const { change, json } = caused;
    const id = change.kind === 'asset' ? change.asset.id : change.finding.id;
    this.textCharacters += json.length - (this.characters.get(id) ?? 0);
    this.characters.set(id, json.length);
    if (change.kind === 'asset') {
      this.add('asset_history', assetHistoryRow(this.partition, { ...caused, change }));
    } else {
      this.add('finding_history', findingHistoryRow(this.partition, { ...caused, change }));
    }
  }

  private add<T extends FoldedTableName>(table: T, row: BulkRow<T>): void {
    const buffer = this.buffers.get(table) ?? new CopyBuffer(table, foldedTable(table).columns);
    this.buffers.set(table, buffer);
    buffer.add(row);
  }
}
