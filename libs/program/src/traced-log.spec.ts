import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as api from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { BatchHandler, EventLog, LogRecord, StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { currentTraceparent, inSpan, openSpan, useTracing } from '#libs/telemetry';
import { TRACEPARENT_HEADER, TracedLog } from './traced-log.ts';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

/** The calls to the wrapped log, and the handler of its batches. */
let appended: LogRecord[] = [];
let handler: BatchHandler;
const bare = {
  partitions: 1,
  append: async (_topic: string, records: LogRecord[]) => {
    appended.push(...records);
    return records.map((_, offset) => ({ partition: 0, offset }));
  },
  consume: async (_topic: string, _group: string, given: BatchHandler) => {
    handler = given;
    return { assignment: [], stop: async () => {} };
  },
  publisher: async () => ({
    publish: async (records: LogRecord[]) => bare.append('', records),
    close: async () => {},
  }),
} as unknown as EventLog;
const log = new TracedLog(bare);

const record = (headers?: Record<string, string>): LogRecord => ({
  key: 'a',
  value: Buffer.from('x'),
  ...(headers && { headers }),
});
const stored = (traceparent?: string): StoredRecord => ({
  ...record(),
  partition: 0,
  offset: 0,
  storedAt: 0,
  headers: traceparent === undefined ? {} : { [TRACEPARENT_HEADER]: traceparent },
});
const request = (trace: number, flags = '01') =>
  `00-${trace.toString(16).padStart(32, '0')}-00000000000000${trace.toString(16).padStart(2, '0')}-${flags}`;
const fold = async (records: StoredRecord[], work = async () => 1) => {
  await log.consume(INTAKE_TOPIC, 'projector', {
    assigned: async () => 0,
    batch: work,
    revoked: async () => {},
  });
  return handler.batch(records);
};
const spans = (name: string): ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.name === name);
const traceOf = (span: ReadableSpan) => span.spanContext().traceId;

beforeAll(() => {
  provider.register();
  useTracing({ api, tracer: provider.getTracer('test') });
});
afterAll(async () => {
  useTracing();
  await provider.shutdown();
});
beforeEach(() => {
  appended = [];
  exporter.reset();
});

describe('append', () => {
  it('adds the span to the headers of every record', async () => {
    await inSpan('request', { isRoot: true }, () => log.append(INTAKE_TOPIC, [record(), record({ n: '1' })]));
    const [span] = spans(`append ${INTAKE_TOPIC}`);
    const { traceId, spanId } = span!.spanContext();
    const traceparent = `00-${traceId}-${spanId}-01`;
    expect(appended.map(({ headers }) => headers)).toEqual([{ traceparent }, { n: '1', traceparent }]);
    expect(traceOf(spans('request')[0]!)).toBe(traceId);
  });

  it('leaves records as they are if nothing is traced, or the trace is not sampled', async () => {
    const records = [record()];
    await log.append(INTAKE_TOPIC, records);
    await inSpan('request', { isRoot: true, parent: request(1, '00') }, () =>
      log.append(INTAKE_TOPIC, records),
    );
    expect(appended).toEqual([record(), record()]);
    expect(appended[0]).not.toHaveProperty('headers');
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});

describe('a batch', () => {
  it('is within the trace of its first traced record, and so are its calls', async () => {
    await fold([stored(), stored(request(1)), stored(request(1))], () =>
      inSpan('transaction', {}, async () => 7),
    );
    const [batch] = spans('fold');
    expect(traceOf(batch!)).toBe(request(1).slice(3, 35));
    expect(batch!.links).toEqual([]);
    expect(spans('transaction')[0]!.parentSpanContext?.spanId).toBe(batch!.spanContext().spanId);
  });

  it('is linked to other traces, of which each leads back to it; to so many and no more', async () => {
    await fold(Array.from({ length: 100 }, (_, i) => stored(request(i + 1))));
    const [batch] = spans('fold');
    expect(batch!.links.map(({ context }) => Number.parseInt(context.traceId, 16))).toEqual(
      Array.from({ length: 32 }, (_, i) => i + 2),
    );
    const others = spans('fold with others');
    expect(others).toHaveLength(32);
    for (const [i, other] of others.entries()) {
      expect(Number.parseInt(traceOf(other), 16)).toBe(i + 2);
      expect(other.links.map(({ context }) => context.spanId)).toEqual([batch!.spanContext().spanId]);
    }
  });

  it('has no span if no record has one, or says something else', async () => {
    expect(await fold([stored(), stored('not a traceparent')], async () => 9)).toBe(9);
    expect(await fold([stored('not a traceparent')], async () => 9)).toBe(9);
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('fails as it would, and its span says so without the text', async () => {
    const failing = fold([stored(request(1))], () => Promise.reject(new RangeError('a secret')));
    await expect(failing).rejects.toThrow('a secret');
    const [batch] = spans('fold');
    expect(batch!.status.code).toBe(api.SpanStatusCode.ERROR);
    expect(batch!.attributes).toMatchObject({ 'error.type': 'RangeError' });
    expect(JSON.stringify([batch!.attributes, batch!.events, batch!.status])).not.toContain('secret');
  });
});

describe('publishing', () => {
  const publish = async () => (await log.publisher('posture.findings', 0, 'changes')).publish([record()]);

  it('is within the batch that woke it, once, and carries on', async () => {
    await fold([stored(request(5))]);
    await publish();
    await publish();
    const published = spans('publish posture.findings');
    expect(published.map(traceOf)).toEqual([request(5).slice(3, 35)]);
    expect(published[0]!.parentSpanContext?.spanId).toBe(spans('fold')[0]!.spanContext().spanId);
    expect(appended.map(({ headers }) => headers?.traceparent?.slice(3, 35))).toEqual([
      request(5).slice(3, 35),
      undefined,
    ]);
  });
});

it('nothing is traced before it is started', async () => {
  useTracing();
  expect(openSpan('request', { isRoot: true })).toBeUndefined();
  expect(await inSpan('request', { isRoot: true }, async () => currentTraceparent())).toBeUndefined();
});
