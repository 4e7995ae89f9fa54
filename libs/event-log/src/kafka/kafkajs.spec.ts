import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { until } from '../../../../test/support/until.ts';
import { crc32c } from './crc32c.ts';
import type { MessagesDecoder, PlaceInBytes } from './decode-messages.ts';
import { type BatchRecord, type RecordEncoder, recordEncoder } from './encode-record.ts';
import './kafkajs.ts';
import type { messagesByPartition } from './messages-by-partition.ts';
import type { RequestEncoder } from './request-encoder.ts';

const require = createRequire(import.meta.url);
const RECORD = 'kafkajs/src/protocol/recordBatch/record/v0/index.js';
const CRC = 'kafkajs/src/protocol/recordBatch/crc32C/index.js';
const ENCODER = 'kafkajs/src/protocol/encoder.js';
const GROUPING = 'kafkajs/src/producer/groupMessagesPerPartition.js';
const REQUEST = 'kafkajs/src/protocol/requests/produce/v3/request.js';
const BATCH = 'kafkajs/src/protocol/recordBatch/v0/index.js';
const DECODED_RECORD = 'kafkajs/src/protocol/recordBatch/record/v0/decoder.js';
const DECODED_BATCH = 'kafkajs/src/protocol/recordBatch/v0/decoder.js';
const MESSAGES = 'kafkajs/src/protocol/requests/fetch/v4/decodeMessages.js';
const Decoder = require('kafkajs/src/protocol/decoder.js') as new (bytes: Buffer) => PlaceInBytes;

/** Loads modules of the package again, as they are without this service. */
function withOriginals<T>(work: () => T): T {
  const modules = [ENCODER, GROUPING, RECORD, CRC, REQUEST, BATCH, DECODED_RECORD, DECODED_BATCH, MESSAGES];
  const paths = modules.map((module) => require.resolve(module));
  const kept = paths.map((path) => require.cache[path]);
  for (const path of paths) delete require.cache[path];
  try {
    return work();
  } finally {
    paths.forEach((path, i) => {
      if (kept[i]) require.cache[path] = kept[i];
      else delete require.cache[path];
    });
  }
}

type Request = (options: object) => { encode(): Promise<{ buffer: Buffer }> };

const original = withOriginals(() => require(RECORD) as RecordEncoder);
const originalCrc = withOriginals(() => require(CRC) as (bytes: Buffer) => number);
const originalMessages = withOriginals(() => require(MESSAGES) as MessagesDecoder);
const originalRequest = withOriginals(() => require(REQUEST) as Request);

interface Encoder extends RequestEncoder {
  writeInt32(value: number): this;
  writeVarInt(value: number): this;
  writeString(value: string): this;
  writeBytes(value: Buffer): this;
  writeBuffer(value: Buffer): this;
}
type EncoderClass = new (initialSize?: number) => Encoder;

const OurEncoder = require(ENCODER) as EncoderClass;
const OriginalEncoder = withOriginals(() => require(ENCODER) as EncoderClass);

const texts = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.constantFrom('', 'x'.repeat(63), 'x'.repeat(64), 'é'.repeat(63), `${'x'.repeat(62)}é`),
);
const buffers = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
const bytes = fc.oneof(texts, buffers, fc.constant(null), fc.constant(undefined));
const records: fc.Arbitrary<BatchRecord> = fc.record(
  {
    offsetDelta: fc.oneof(fc.nat(300), fc.nat()),
    timestampDelta: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat()),
    key: bytes,
    value: bytes,
    headers: fc.dictionary(
      texts,
      fc.oneof({ weight: 9, arbitrary: fc.oneof(texts, buffers) }, fc.array(texts, { maxLength: 3 })),
      { maxKeys: 10 },
    ),
  },
  { requiredKeys: [] },
);

describe('the encoding of records', () => {
  const encode = recordEncoder(original);

  it('has the bytes of kafkajs', () => {
    fc.assert(
      fc.property(records, (record) => {
        expect(encode(record).buffer).toEqual(Buffer.from(original(record).buffer));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([0, 1, 57, 8_100, 65_500, 65_536, 1_000_000])('of a value of %d bytes too', (size) => {
    const record = { offsetDelta: 3, key: 'k', value: Buffer.alloc(size, 'v'), headers: { name: 'value' } };
    expect(encode(record).buffer.equals(original(record).buffer)).toBe(true);
  });

  it('returns records that later ones leave as they are', () => {
    const first = encode({ key: 'first', value: 'a' });
    const bytesOf = Buffer.from(first.buffer);
    encode({ key: 'other', value: 'b' });
    expect(first.buffer).toEqual(bytesOf);
  });

  it('leaves records with own times to kafkajs', () => {
    const given: BatchRecord[] = [];
    const encoded = { buf: Buffer.alloc(0), buffer: Buffer.alloc(0) };
    const watched = recordEncoder((record) => {
      given.push(record);
      return encoded;
    });
    expect(watched({ timestampDelta: 7 })).toBe(encoded);
    expect(watched({ headers: { name: ['a', 'b'] } })).toBe(encoded);
    watched({ key: 'k', value: 'v', headers: { name: 'a' } });
    expect(given).toEqual([{ timestampDelta: 7 }, { headers: { name: ['a', 'b'] } }]);
  });
});

describe('the encoder of a request', () => {
  /** What to write, with encoders within encoders. */
  type Step = number | string | Buffer | { within: Step[]; isArray: boolean; isRead: boolean };
  const { steps } = fc.letrec<{ steps: Step[]; step: Step }>((tie) => ({
    steps: fc.array(tie('step'), { maxLength: 6 }),
    step: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(
        fc.integer({ min: -1000, max: 1000 }),
        fc.string(),
        fc.constantFrom(0, 500, 4_095, 4_096, 20_000).map((size) => Buffer.alloc(size, size)),
      ),
      fc.record({ within: tie('steps'), isArray: fc.boolean(), isRead: fc.boolean() }),
    ),
  }));

  function write(Encoder: EncoderClass, given: Step[]): Encoder {
    const encoder = new Encoder();
    for (const step of given) {
      if (typeof step === 'number') encoder.writeInt32(step).writeVarInt(step);
      else if (typeof step === 'string') encoder.writeString(step);
      else if (Buffer.isBuffer(step)) encoder.writeBytes(step).writeBuffer(step);
      else {
        const within = write(Encoder, step.within);
        if (step.isRead) encoder.writeInt32(within.buffer.length);
        if (step.isArray) encoder.writeEncoderArray([within, within]);
        else encoder.writeInt32(within.size()).writeEncoder(within);
      }
    }
    return encoder;
  }

  it('writes the bytes of kafkajs', () => {
    expect(OurEncoder).not.toBe(OriginalEncoder);
    fc.assert(
      fc.property(steps, (given) => {
        const [ours, theirs] = [write(OurEncoder, given), write(OriginalEncoder, given)];
        expect(ours.size()).toBe(theirs.size());
        expect(ours.buffer.equals(theirs.buffer)).toBe(true);
        // Once it was read, it can be continued.
        expect(ours.writeInt32(7).buffer.equals(theirs.writeInt32(7).buffer)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the grouping of messages', () => {
  const ours = require(GROUPING) as typeof messagesByPartition;
  const theirs = withOriginals(() => require(GROUPING) as typeof messagesByPartition);
  const partitioner = ({ message }: { message: { partition?: number } }) => message.partition!;
  const group = (grouping: typeof messagesByPartition, partitions: number[], partitionMetadata: never[]) => {
    const messages = partitions.map((partition, index) => ({ key: `${index}`, value: null, partition }));
    return grouping({ topic: 't', partitionMetadata, messages, partitioner });
  };

  it('is that of kafkajs', () => {
    expect(ours).not.toBe(theirs);
    const metadata = [{}] as never[];
    fc.assert(
      fc.property(fc.array(fc.nat(4)), (partitions) => {
        expect(group(ours, partitions, metadata)).toEqual(group(theirs, partitions, metadata));
      }),
    );
    expect(group(ours, [1, 2], [])).toEqual({});
  });
});

describe('CRC-32C', () => {
  it('is that of kafkajs, and of RFC 3720', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (random) => {
        expect(crc32c(random)).toBe(originalCrc(Buffer.from(random)));
      }),
    );
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
    expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43);
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  });
});

describe('a request of kafkajs to store records', () => {
  const messages = [
    { key: 'a', value: Buffer.from('one'), partition: 4, timestamp: '1700000000000', headers: { id: '1' } },
    { key: 'b', value: null, partition: 4, timestamp: '1700000000000' },
  ];
  const topicData = [{ topic: 't', partitions: [{ partition: 4, firstSequence: 9, messages }] }];
  const options = {
    acks: -1,
    timeout: 1_000,
    transactionalId: 'x',
    producerId: 7,
    producerEpoch: 2,
    topicData,
  };

  it('takes the replaced modules, and is the same', async () => {
    expect(require(CRC)).toBe(crc32c);
    expect(require(RECORD)).not.toBe(original);
    const [ours, theirs] = await Promise.all(
      [require(REQUEST) as Request, originalRequest].map((request) => request(options).encode()),
    );
    expect(ours!.buffer.equals(theirs!.buffer)).toBe(true);
  });
});

describe('the decoding of fetched messages', () => {
  const { RecordBatch } = require(BATCH) as {
    RecordBatch(batch: object): Promise<{ buffer: Buffer }>;
  };
  const decode = require(MESSAGES) as MessagesDecoder;
  const GZIP = 1;
  const TIME = 1_700_000_000_000;
  const CHECKSUM_AT = 17;
  const VALUE_AT = 66;

  const batchOf = async (firstOffset: number, given: BatchRecord[], more: object = {}): Promise<Buffer> => {
    const records = given.map((record, offsetDelta) => original({ ...record, offsetDelta }));
    const times = { firstTimestamp: TIME, maxTimestamp: TIME + 9 };
    const lastOffsetDelta = given.length - 1;
    return (await RecordBatch({ ...times, firstOffset, lastOffsetDelta, records, ...more })).buffer;
  };
  /** As in the answer of a broker, with what follows it. */
  const answerOf = (...batches: Buffer[]): PlaceInBytes => {
    const bytes = Buffer.concat(batches);
    const size = Buffer.alloc(4);
    size.writeInt32BE(bytes.length);
    return new Decoder(Buffer.concat([size, bytes, Buffer.from('next')]));
  };

  it('returns the messages of kafkajs, of any records and with any cut', async () => {
    const isPlain = ({ headers = {} }: BatchRecord) => Object.keys(headers).every((name) => !(name in {}));
    const batches = fc.array(fc.array(records.filter(isPlain), { minLength: 1, maxLength: 4 }), {
      maxLength: 3,
    });
    const mores = fc.constantFrom({}, { compression: GZIP }, { transactional: true, producerId: 12 });
    await fc.assert(
      fc.asyncProperty(
        batches,
        mores,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (given, more, part) => {
          const encoded = await Promise.all(given.map((one, at) => batchOf(10 * at, one, more)));
          const whole = Buffer.concat(encoded);
          const cut = Math.ceil(part * whole.length);
          // Less than a magic byte fails in kafkajs.
          const bytes = whole.subarray(0, cut < 17 ? 0 : cut);
          const [ours, theirs] = [answerOf(bytes), answerOf(bytes)];
          const decoded = await decode(ours);
          expect(decoded).toEqual(await originalMessages(theirs));
          expect(ours.offset).toBe(theirs.offset);
          expect(decoded.damage).toBeUndefined();
        },
      ),
    );
  });

  it('ends before a batch that does not match its checksum, which kafkajs does not compare', async () => {
    const [first, second] = [await batchOf(7, [{ value: 'a' }]), await batchOf(8, [{ value: 'b' }])];
    second.write('c', VALUE_AT + (second.length - VALUE_AT - 2));
    const decoded = await decode(answerOf(first, second));
    expect(decoded.map(({ offset }) => offset)).toEqual(['7']);
    expect(decoded.damage?.message).toContain('the batch at offset 8 does not match its checksum');
    expect((await originalMessages(answerOf(first, second))).length).toBe(2);
    second.writeInt32BE(-5, 8);
    expect((await decode(answerOf(second))).damage?.message).toContain('has the length 7');
    first[16] = 3;
    expect((await decode(answerOf(first))).damage?.message).toContain('offset 7 has the unknown format 3');
  });

  it('says what else cannot be read', async () => {
    const batch = await batchOf(3, [{ value: 'a' }]);
    // Snappy, which kafkajs cannot read.
    batch.writeInt16BE(2, CHECKSUM_AT + 4);
    batch.writeUInt32BE(crc32c(batch.subarray(CHECKSUM_AT + 4)), CHECKSUM_AT);
    expect((await decode(answerOf(batch))).damage?.message).toContain(
      'the batch at offset 3 cannot be read: Snappy compression not implemented',
    );
  });

  it('reads names of headers that objects inherit, many headers, and many records', async () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`h${n}`, 'x']));
    const named = await batchOf(1, [
      { headers: { constructor: 'a', toString: ['b', 'c'] } },
      { headers: many },
    ]);
    const [first, second] = await decode(answerOf(named));
    expect(first!.headers).toEqual({
      constructor: Buffer.from('a'),
      toString: [Buffer.from('b'), Buffer.from('c')],
    });
    expect(Object.keys(second!.headers).length).toBe(50_000);
    const records = Array.from({ length: 200_000 }, () => ({ value: 'v' }));
    expect((await decode(answerOf(await batchOf(0, records)))).length).toBe(200_000);
  });
});

describe('the queue of requests of a connection', () => {
  const QUEUE = 'kafkajs/src/network/requestQueue/index.js';
  const logger = { debug: () => {} };
  /** A request of which the queue sends at most one at a time. */
  function request(sent: number[], correlationId: number) {
    const entry = {
      correlationId,
      resolve: () => {},
      reject: () => {},
      apiName: 'Fetch',
      apiKey: 1,
      apiVersion: 4,
    };
    return {
      entry,
      expectResponse: true,
      sendRequest: () => void sent.push(correlationId),
      requestTimeout: 1_000,
    };
  }

  it('has no timer while no request waits, and sends one that waits for the end of a throttle', async () => {
    const Queue = require(QUEUE) as new (
      options: object,
    ) => {
      push(request: object): void;
      fulfillRequest(answer: object): void;
      throttledUntil: number;
      throttleCheckTimeoutId: unknown;
      destroy(): void;
    };
    const queue = new Queue({
      maxInFlightRequests: null,
      requestTimeout: 1_000,
      clientId: 'c',
      broker: 'b',
      logger,
    });
    const sent: number[] = [];
    queue.push(request(sent, 1));
    queue.fulfillRequest({ correlationId: 1, payload: {}, size: 0 });
    expect([sent, queue.throttleCheckTimeoutId === null]).toEqual([[1], true]);
    queue.throttledUntil = Date.now() + 20;
    queue.push(request(sent, 2));
    await until('it to be sent', () => sent.includes(2));
    queue.destroy();
  });
});
