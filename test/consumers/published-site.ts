import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { type ChangeTopic, encodeIntake, FINDINGS_TOPIC, SCORES_TOPIC } from '#libs/contracts';
import { entityKey, type IntakePayload } from '#libs/domain';
import { KafkaEventLog, type StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { ApiClient, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { event } from '../support/scenario.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN, ADMIN_ENV, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const run = promisify(execFile);

export const PARTITIONS = 4;
const PUBLISH_MS_MAX = 60_000;
const ABORT_MS_MAX = 60_000;
const ABORT_RECORDS = fileURLToPath(new URL('./abort_records.py', import.meta.url));

/** Gateway, projector and scorer as separate programs on a real Kafka, and a reader of the topics. */
export class PublishedSite {
  private readonly closers: (() => Promise<unknown>)[] = [];
  private readonly programs: StartedProgram[] = [];
  private env: Record<string, string> = {};
  private kafka!: KafkaCluster;
  private log!: KafkaEventLog;
  private database!: TestDatabase;
  client!: ApiClient;

  private constructor() {}

  static async start(): Promise<PublishedSite> {
    const site = new PublishedSite();
    try {
      await site.open();
    } catch (error) {
      await site.stop();
      throw error;
    }
    return site;
  }

  private async open(): Promise<void> {
    const dataDir = await temporaryDataDir();
    this.closers.unshift(() => rm(dataDir, { recursive: true, force: true }));
    this.kafka = await startKafka({ directory: `${dataDir}/kafka` });
    this.closers.unshift(() => this.kafka.stop());
    this.database = await testDatabase();
    this.closers.unshift(() => this.database.drop());
    this.env = {
      DATABASE_URL: this.database.url,
      KAFKA_BROKERS: this.brokers,
      LOG_PARTITIONS: `${PARTITIONS}`,
      DATA_DIR: dataDir,
      ...ADMIN_ENV,
    };
    for (const app of ['gateway', 'projector', 'scorer'])
      this.programs.push(await StartedProgram.start(app, this.env));
    this.log = new KafkaEventLog({ brokers: [this.brokers], partitions: PARTITIONS });
    this.closers.unshift(() => this.log.close());
    this.client = await ApiClient.signIn(this.programs[0]!.url, ADMIN);
  }

  get brokers(): string {
    return this.kafka.brokers;
  }

  get url(): string {
    return this.client.url;
  }

  /** Uploads a ZIP and waits for its fold. */
  async upload(entries: Record<string, unknown>): Promise<void> {
    const { status, body } = await this.client.zip(await zipOf(entries));
    if (status !== 200) throw new Error(`the upload was answered with ${status}: ${JSON.stringify(body)}`);
    await this.client.folded(body.uploadId);
  }

  /** Uploads one signal as JSON and waits for its fold. */
  async send(signal: unknown): Promise<void> {
    const { status, body } = await this.client.signal(signal);
    if (status !== 200) throw new Error(`the signal was answered with ${status}: ${JSON.stringify(body)}`);
    await this.client.folded(body.uploadId);
  }

  /** A user's act on a host, appended as the gateway will append it. */
  async act(host: string, payload: IntakePayload): Promise<void> {
    const key = entityKey('machine', host);
    const act = event(payload, Date.now(), { kind: 'user' }, { id: randomUUID(), entityKey: key });
    await this.log.append(INTAKE_TOPIC, [{ key, value: encodeIntake(act) }]);
  }

  /** An aborted transaction of another program on every partition of the topic. */
  async abortTransaction(python: string): Promise<void> {
    const args = [ABORT_RECORDS, this.brokers, FINDINGS_TOPIC, `${PARTITIONS}`];
    await run(python, args, { timeout: ABORT_MS_MAX });
  }

  /** The current content of a topic, partition by partition, each in order. */
  async published(topic: ChangeTopic = FINDINGS_TOPIC): Promise<StoredRecord[]> {
    const records: StoredRecord[] = [];
    for (const [partition, end] of (await this.log.ends(topic)).entries()) {
      for await (const batch of this.log.read(topic, partition, 0, end)) records.push(...batch);
    }
    return records;
  }

  async untilPublished(count: number): Promise<void> {
    const isOut = async () => (await this.published()).length >= count;
    await until(`${count} records of ${FINDINGS_TOPIC}`, isOut, PUBLISH_MS_MAX);
  }

  /** Resolves when every change is scored, and every score published. */
  async untilScored(): Promise<void> {
    const isOut = async () => {
      const { rows } = await sql<{ open: number; changes: number }>`
        select count(*) filter (where (s.asset_sequence, s.finding_sequence)
                                  is distinct from (p.asset_sequence, p.finding_sequence)) as open,
               sum(s.sequence)::bigint as changes
        from projection_positions p left join scored_partitions s using (partition)`.execute(
        this.database.db,
      );
      const { open, changes } = rows[0]!;
      return open === 0 && (await this.published(SCORES_TOPIC)).length === changes;
    };
    await until('every score', isOut, PUBLISH_MS_MAX);
  }

  /** Verifies every row against the log. */
  verified(): Promise<void> {
    return expectVerified(this.env);
  }

  /** Returns the programs' exit codes. */
  async stop(): Promise<(number | null)[]> {
    const codes = await Promise.all(this.programs.map((program) => program.stop()));
    for (const close of this.closers) await close();
    return codes;
  }
}
