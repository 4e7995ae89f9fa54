import {
  type AssetChange,
  type FindingChange,
  initialEntity,
  initialPartition,
  type PartitionState,
} from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import {
  type CachedEntity,
  type CausedChange,
  type DecodedRecord,
  decodeBatch,
  foldBatch,
  LogHoleError,
} from '#libs/projection';
import type { Connection } from '../queryable.ts';
import {
  actRow,
  assetHistoryRow,
  assetRow,
  assetSeenRow,
  BULK_COLUMNS,
  type BulkTable,
  findingHistoryRow,
  findingRow,
  findingSeenRow,
  organizationRow,
  quarantineRow,
  uploadRow,
} from './bulk-rows.ts';
import { CopyBuffer } from './copy-buffer.ts';

/** Estimates: text in memory with the objects around it, for each character of JSON; what has no text of its own. */
const BYTES_PER_CHARACTER = 3;
const UPLOAD_BYTES = 1_024;
const ENTITY_BYTES = 1_024;

/**
 * Folds a partition from its beginning in memory and writes each row once, by COPY: history as it comes about, the rest
 * at the end. For tables that hold nothing of the partition yet; the fold itself is the projector's.
 */
export class BulkFold {
  private readonly state: PartitionState;
  private readonly entities = new Map<string, CachedEntity>();
  private readonly characters = new Map<string, number>();
  private readonly buffers = new Map<BulkTable, CopyBuffer>();
  /** Events that a wrong clock had stamped, and that changed nothing. */
  setAside = 0;
  private organizationKey: string | null = null;
  private next = 0;
  private assetSequence = 0;
  private findingSequence = 0;
  private textCharacters = 0;

  constructor(
    private readonly connection: Connection,
    private readonly partition: number,
  ) {
    this.state = initialPartition(partition);
  }

  /** Offset behind the last record taken. */
  get position(): number {
    return this.next;
  }

  /** What is held in memory, estimated. */
  get heldBytes(): number {
    return (
      BYTES_PER_CHARACTER * this.textCharacters +
      ENTITY_BYTES * this.entities.size +
      UPLOAD_BYTES * this.state.uploads.size
    );
  }

  /** @throws LogHoleError, UnknownSchemaError: nothing is folded past them */
  async take(records: StoredRecord[]): Promise<void> {
    this.assertNext(records);
    const { decoded, quarantined } = decodeBatch(records, this.state.clock);
    for (const { record } of decoded) {
      if (!this.entities.has(record.key))
        this.entities.set(record.key, { state: initialEntity(record.key), bytes: 0 });
    }
    for (let done = 0; done < decoded.length; ) done += await this.takeFirst(decoded.slice(done));
    for (const record of quarantined) this.add('quarantine', quarantineRow(this.partition, record));
    this.next += records.length;
    await this.flushFull();
  }

  /** Writes what the partition has come to, with its position. */
  async finish(): Promise<void> {
    for (const [key, { state }] of this.entities) {
      for (const asset of state.assets) {
        this.add('assets', assetRow(this.partition, key, asset));
        this.add('asset_seen', assetSeenRow(asset));
        for (const tracked of asset.findings.values()) {
          this.add('findings', findingRow(this.partition, asset.asset.number, tracked));
          this.add('finding_seen', findingSeenRow(asset.asset.number, tracked));
        }
      }
      await this.flushFull();
    }
    if (this.organizationKey !== null) {
      const { organization } = this.entities.get(this.organizationKey)!.state;
      this.add('organization', organizationRow(this.partition, this.organizationKey, organization!));
    }
    for (const upload of this.state.uploads.values()) {
      this.add('upload_progress', uploadRow(this.partition, upload));
      await this.buffers.get('upload_progress')!.flushIfFull(this.connection);
    }
    for (const buffer of this.buffers.values()) await buffer.flush(this.connection);
    await this.connection.query(
      `insert into projection_positions (partition, next_offset, clock, asset_counter, finding_sequence, asset_sequence)
       values ($1, $2, $3, $4, $5, $6)`,
      [
        this.partition,
        this.next,
        new Date(this.state.clock),
        this.state.assetCounter,
        this.findingSequence,
        this.assetSequence,
      ],
    );
  }

  /** As many of the first as the memory holds the changes of; answers how many. */
  private async takeFirst(decoded: DecodedRecord[]): Promise<number> {
    const { folded, setAside, changes, acts, organization } = foldBatch(this.state, this.entities, decoded);
    this.setAside += setAside;
    for (const change of changes) this.addChange(change);
    for (const act of acts) this.add('acts', actRow(this.partition, act));
    this.organizationKey = organization?.key ?? this.organizationKey;
    await this.flushFull();
    return folded;
  }

  private async flushFull(): Promise<void> {
    for (const buffer of this.buffers.values()) await buffer.flushIfFull(this.connection);
  }

  private assertNext(records: StoredRecord[]): void {
    const hole = records.findIndex(({ offset }, i) => offset !== this.next + i);
    if (hole < 0) return;
    throw new LogHoleError(
      `partition ${this.partition} goes on at offset ${records[hole]!.offset}, but ${this.next + hole} is next: records are missing from the log`,
    );
  }

  private addChange(caused: CausedChange): void {
    const { change, json } = caused;
    const id = change.kind === 'asset' ? change.asset.id : change.finding.id;
    this.textCharacters += json.length - (this.characters.get(id) ?? 0);
    this.characters.set(id, json.length);
    if (change.kind === 'asset') {
      this.assetSequence += 1;
      const asset = caused as CausedChange & { change: AssetChange };
      this.add('asset_history', assetHistoryRow(this.partition, this.assetSequence, asset));
    } else {
      this.findingSequence += 1;
      const finding = caused as CausedChange & { change: FindingChange };
      this.add('finding_history', findingHistoryRow(this.partition, this.findingSequence, finding));
    }
  }

  private add(table: BulkTable, row: Parameters<CopyBuffer['add']>[0]): void {
    const buffer = this.buffers.get(table) ?? new CopyBuffer(table, BULK_COLUMNS[table]);
    this.buffers.set(table, buffer);
    buffer.add(row);
  }
}
