import {
  type BatchHandler,
  type ConsumeOptions,
  type Consumer,
  ForwardingLog,
  type LogRecord,
  type Position,
  type Publisher,
  type StoredRecord,
} from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { currentTraceparent, inSpan, type OpenSpan, openSpan } from '#libs/telemetry';

/** Header of a record: the span that brought it to the log (W3C Trace Context). */
export const TRACEPARENT_HEADER = 'traceparent';

/** Maximum number of traces that one batch is linked to, in addition to the first. */
const LINKS_MAX = 32;
const WAKER_MS_MAX = 60_000;
/** Position of the trace id in a `traceparent`. */
const TRACE_ID_AT = 3;
const TRACE_ID_ENDS = 35;

/** The span name of a topic's batch, and the topics that are published from it. */
const STEPS: Record<string, { name: string; publishes: readonly string[] }> = {
  [INTAKE_TOPIC]: { name: 'fold', publishes: ['posture.findings', 'posture.assets', 'posture.quarantine'] },
  'posture.findings': { name: 'score', publishes: ['posture.scores'] },
  'posture.assets': { name: 'score', publishes: ['posture.scores'] },
};

/**
 * Carries traces through the log: a record says in a header which span appended it, and the batch that takes it is
 * within that span. It is before the log only if something is traced.
 */
export class TracedLog extends ForwardingLog {
  /** By output: the cause that wakes its publisher, and its time. */
  private readonly wakers = new Map<string, { traceparent: string; at: number }>();

  override append(topic: string, records: (LogRecord & { partition?: number })[]): Promise<Position[]> {
    const attributes = attributesOf(topic, records.length);
    return inSpan(`append ${topic}`, { kind: 'producer', attributes }, () =>
      this.log.append(topic, marked(records)),
    );
  }

  override consume(
    topic: string,
    group: string,
    handler: BatchHandler,
    options?: ConsumeOptions,
  ): Promise<Consumer> {
    const traced: BatchHandler = {
      assigned: (partition) => handler.assigned(partition),
      revoked: (partition) => handler.revoked(partition),
      batch: (records) => this.inBatch(topic, records, () => handler.batch(records)),
    };
    return this.log.consume(topic, group, traced, options);
  }

  override async publisher(topic: string, partition: number, name: string): Promise<Publisher> {
    const publisher = await this.log.publisher(topic, partition, name);
    return {
      publish: (records) => {
        const output = `${topic}/${partition}`;
        const parent = this.takeWaker(output);
        const attributes = { ...attributesOf(topic, records.length), [PARTITION]: partition };
        return inSpan(`publish ${topic}`, { kind: 'producer', attributes, parent }, () =>
          publisher.publish(marked(records)),
        );
      },
      close: () => publisher.close(),
    };
  }

  /**
   * The batch is within the trace of its first record that has one, and linked to the others; each of those has a span
   * that links back, so that from every request there is a way to the transaction.
   */
  private async inBatch(
    topic: string,
    records: StoredRecord[],
    work: () => Promise<number>,
  ): Promise<number> {
    const [parent = NO_PARENT, ...links] = tracesOf(records);
    const { name, publishes } = STEPS[topic] ?? { name: `process ${topic}`, publishes: [] };
    const { partition } = records[0]!;
    const attributes = { ...attributesOf(topic, records.length), [PARTITION]: partition };
    return inSpan(name, { kind: 'consumer', attributes, parent, links }, async () => {
      const own = currentTraceparent();
      for (const output of publishes) this.wake(`${output}/${partition}`, own);
      const others = own === undefined ? [] : links.map((link) => followed(name, link, own));
      try {
        return await work();
      } finally {
        for (const span of others) span?.end();
      }
    });
  }

  private wake(output: string, traceparent: string | undefined): void {
    if (traceparent !== undefined) this.wakers.set(output, { traceparent, at: performance.now() });
  }

  /** Used once, by the next batch; discarded after a minute. */
  private takeWaker(output: string): string {
    const waker = this.wakers.get(output);
    this.wakers.delete(output);
    return waker && performance.now() - waker.at < WAKER_MS_MAX ? waker.traceparent : NO_PARENT;
  }
}

/** No `traceparent`: the current span belongs to something else. */
const NO_PARENT = '';
const PARTITION = 'messaging.destination.partition.id';

const attributesOf = (topic: string, records: number) => ({
  'messaging.system': 'posture',
  'messaging.destination.name': topic,
  'messaging.batch.message_count': records,
});

/** The records with the current span in their headers, if it is recorded. */
function marked<R extends LogRecord>(records: R[]): R[] {
  const traceparent = currentTraceparent();
  if (traceparent === undefined) return records;
  return records.map((record) => ({
    ...record,
    headers: { ...record.headers, [TRACEPARENT_HEADER]: traceparent },
  }));
}

/** One `traceparent` of each of the first traces. */
function tracesOf(records: StoredRecord[]): string[] {
  const traces = new Map<string, string>();
  for (const { headers } of records) {
    const traceparent = headers[TRACEPARENT_HEADER];
    if (traceparent === undefined) continue;
    const traceId = traceparent.slice(TRACE_ID_AT, TRACE_ID_ENDS);
    if (!traces.has(traceId)) traces.set(traceId, traceparent);
    if (traces.size > LINKS_MAX) break;
  }
  return [...traces.values()];
}

const followed = (name: string, parent: string, batch: string): OpenSpan | undefined =>
  openSpan(`${name} with others`, { kind: 'consumer', parent, links: [batch] });
