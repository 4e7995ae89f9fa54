import pLimit from 'p-limit';
import type pg from 'pg';
import { FencedError, type LogRecord, type Position, type Publisher } from '../event-log.ts';
import { appendRecords } from './append-records.ts';
import { asLogError } from './log-error.ts';
import { inTransaction } from './transaction.ts';

/** The greatest epoch may publish; taking the name waits for a transaction of the one before. */
const TAKE_NAME = `
  insert into log_publishers as held (topic, partition, name, epoch) values ($1, $2, $3, 1)
  on conflict (topic, partition, name) do update set epoch = held.epoch + 1
  returning epoch`;

const READ_EPOCH = `
  select epoch from log_publishers where topic = $1 and partition = $2 and name = $3 for update`;

export class PostgresPublisher implements Publisher {
  /** Keeps the order of concurrent calls. */
  private readonly inOrder = pLimit(1);
  private isClosed = false;

  private constructor(
    private readonly pool: pg.Pool,
    private readonly topic: string,
    private readonly partition: number,
    private readonly name: string,
    private readonly epoch: number,
  ) {}

  static async open(
    pool: pg.Pool,
    topic: string,
    partition: number,
    name: string,
  ): Promise<PostgresPublisher> {
    const { rows } = await pool.query(TAKE_NAME, [topic, partition, name]);
    return new PostgresPublisher(pool, topic, partition, name, rows[0].epoch);
  }

  async publish(records: LogRecord[]): Promise<Position[]> {
    try {
      return await this.inOrder(() =>
        inTransaction(this.pool, (client) => this.publishFenced(client, records)),
      );
    } catch (error) {
      throw asLogError(error);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.inOrder(() => undefined);
  }

  private async publishFenced(client: pg.PoolClient, records: LogRecord[]): Promise<Position[]> {
    if (this.isClosed)
      throw new Error(`the publisher ${this.name} of ${this.topic}/${this.partition} is closed`);
    const { rows } = await client.query(READ_EPOCH, [this.topic, this.partition, this.name]);
    if (rows[0]?.epoch !== this.epoch) {
      throw new FencedError(`another publisher ${this.name} of ${this.topic}/${this.partition} took over`);
    }
    if (records.length === 0) return [];
    return appendRecords(
      client,
      this.topic,
      records.map((record) => ({ ...record, partition: this.partition })),
    );
  }
}
