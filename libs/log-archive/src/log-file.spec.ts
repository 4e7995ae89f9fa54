import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { StoredRecord } from '#libs/event-log';
import { CHAIN_START, type Chain, chainAfter, formerChainAfter } from '#libs/intake';
import { runs } from '../../../test/support/long-run.ts';
import { LOG_ID, MemoryLog, opening } from '../../../test/support/memory-log.ts';
import { newChecksum } from './container.ts';
import { type Frame, LOG_FRAMES } from './frames.ts';
import { importLog, LogNotEmptyError, MisplacedRecordError } from './import-log.ts';
import { LogContentError } from './log-content-error.ts';
import { LogFile } from './log-file.ts';
import { readExtent } from './read-extent.ts';
import { writeLogFile } from './write-log-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posture-archive-'));
  path = join(folder, 'log');
});
afterEach(() => rm(folder, { recursive: true }));

const record = (n: number, bytes = 20) => ({
  key: `machine:web${n}`,
  value: Buffer.concat([Buffer.from([0, 0, 0, 0, 9]), Buffer.alloc(bytes, n)]),
});
const smallLog = () => MemoryLog.opened([[record(1), record(2)], [], [record(3)]]);

async function write(log: MemoryLog, to = path) {
  return writeLogFile(log.port, await readExtent(log.port), createWriteStream(to));
}

/** All that is read of a file. */
async function readAll(from = path): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const batch of (await LogFile.open(from)).batches()) records.push(...batch);
  return records;
}

/** With the length and a digest instead of the bytes: `toEqual` takes seconds for a million of them. */
const digested = ({ value, ...rest }: StoredRecord) => ({
  ...rest,
  value: `${value.length} ${createHash('sha256').update(value).digest('hex')}`,
});

const verify = async (from = path) => (await LogFile.open(from)).verify();

/** A file of other frames than a writer makes. */
async function writeFrames(frames: Frame[], firstLine = 'POSTURE-LOG 2\n'): Promise<void> {
  const packed = Buffer.concat([
    Buffer.from(firstLine),
    gzipSync(Buffer.concat(frames.map((frame) => LOG_FRAMES.encode(frame)))),
  ]);
  await writeFile(path, Buffer.concat([packed, newChecksum().update(packed).digest()]));
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(LogContentError);
  return error!.message;
}

describe('a log file', () => {
  const stored = fc.record({
    key: fc.string({ unit: 'grapheme' }),
    value: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    // No object can hold that name as others do, and no header of ours has it.
    headers: fc.dictionary(
      fc.string().filter((name) => name !== '__proto__'),
      fc.string(),
      { noNullPrototype: true },
    ),
  });
  const logs = fc.array(fc.array(stored, { maxLength: 8 }), { minLength: 1, maxLength: 5 });

  it('gives any records back as they were, at their positions', async () => {
    await fc.assert(
      fc.asyncProperty(logs, async (given) => {
        const log = MemoryLog.opened(given);
        const summary = await write(log);
        const expected = log.stored.flat();
        expect(await readAll()).toEqual(expected);
        expect(await verify()).toEqual(summary);
        expect(summary).toMatchObject({ logId: LOG_ID, records: expected.length, ends: await log.ends() });
      }),
      { numRuns: runs(50) },
    );
  });

  it('can contain records larger than one decompressed block', async () => {
    const log = MemoryLog.opened([[record(1, 1_500_000), record(2, 10), record(3, 900_000)]]);
    await write(log);
    expect((await readAll()).map(digested)).toEqual(log.stored[0]!.map(digested));
  });

  it('is rejected with any bit of any byte changed', async () => {
    await write(smallLog());
    const bytes = await readFile(path);
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 1 << (at % 8);
      await writeFile(path, damaged);
      expect(await refusal(verify())).toMatch(/damaged|not a file of|format version/);
    }
  });

  it('is rejected if truncated at any byte, or with data after its end', async () => {
    await write(smallLog());
    const bytes = await readFile(path);
    for (let length = 0; length < bytes.length; length++) {
      await writeFile(path, bytes.subarray(0, length));
      expect(await refusal(verify())).toMatch(/damaged|not a file of|cut off/);
    }
    await writeFile(path, Buffer.concat([bytes, Buffer.from([0])]));
    expect(await refusal(verify())).toMatch(/damaged/);
  });

  it('names the record that is damaged', async () => {
    const noise = fc.sample(fc.uint8Array({ minLength: 90_000, maxLength: 90_000 }), {
      numRuns: 40,
      seed: 1,
    });
    const log = MemoryLog.opened([noise.map((bytes, i) => ({ key: `${i}`, value: Buffer.from(bytes) }))]);
    await write(log);
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(path, bytes);
    const offset = Number(
      /is damaged from partition 0, offset (\d+) on: /.exec(await refusal(verify()))?.[1],
    );
    expect(offset).toBeGreaterThan(10);
    expect(offset).toBeLessThan(25);
  });

  const [first, second] = smallLog().stored[0]! as [StoredRecord, StoredRecord];
  const header: Frame = { Header: { logId: LOG_ID, ends: [3] } };
  const one = { ...opening(0, 1), partition: 0, offset: 0, storedAt: 0, headers: {} };
  it.each<[string, Frame[], RegExp]>([
    [
      'a hole',
      [header, { Record: one }, { Record: { ...second, offset: 2 } }],
      /has a hole: partition 0, offset 1 is missing, partition 0, offset 2 follows instead/,
    ],
    [
      'records missing at the end',
      [header, { Record: one }, { End: { records: 1, heads: [] } }],
      /has a hole: partition 0, offset 1 is missing/,
    ],
    [
      'a beginning that is not its identity',
      [header, { Record: { ...second, offset: 0 } }],
      /does not begin with its identity: partition 0, offset 0/,
    ],
    [
      'the identity of another log',
      [header, { Record: first }],
      /does not begin with its identity: partition 0, offset 0/,
    ],
    [
      'another chain than its end says',
      [
        { Header: { logId: LOG_ID, ends: [1] } },
        { Record: one },
        { End: { records: 1, heads: [Buffer.alloc(32)] } },
      ],
      /the chain of partition 0 does not match its end/,
    ],
    [
      'more records than it says',
      [{ Header: { logId: LOG_ID, ends: [1] } }, { Record: one }, { Record: second }],
      /continues after its end with partition 0, offset 1/,
    ],
    ['no end', [header, { Record: one }], /is damaged from partition 0, offset 1 on: it is cut off/],
    ['no partition', [{ Header: { logId: LOG_ID, ends: [] } }], /must name 1 to 1024 partitions/],
  ])('is rejected with %s, also with valid checksums', async (_, frames, expected) => {
    await writeFrames(frames);
    expect(await refusal(verify())).toMatch(expected);
  });

  it('is read and written for release 0.1.0 with the former chain', async () => {
    const log = MemoryLog.opened([[record(1)]]);
    const records = log.stored[0]!;
    await writeLogFile(log.port, await readExtent(log.port), createWriteStream(path), { version: 1 });
    const written = await readFile(path);
    const end = (chain: Chain) => ({ End: { records: 2, heads: [records.reduce(chain, CHAIN_START)] } });
    const frames: Frame[] = [
      { Header: { logId: LOG_ID, ends: [2] } },
      ...records.map((one) => ({ Record: one })),
    ];
    await writeFrames([...frames, end(formerChainAfter)], 'POSTURE-LOG 1\n');
    expect(await readAll()).toEqual(records);
    expect(await readFile(path)).toEqual(written);
    await writeFrames([...frames, end(chainAfter)], 'POSTURE-LOG 1\n');
    expect(await refusal(verify())).toMatch(/the chain of partition 0 does not match its end/);
    await writeFrames([...frames, end(formerChainAfter)]);
    expect(await refusal(verify())).toMatch(/the chain of partition 0 does not match its end/);
  });

  it('is rejected if a later version has written it, or something else', async () => {
    await writeFrames([header], 'POSTURE-LOG 3\n');
    expect(await refusal(verify())).toMatch(
      /^has format version 3 \(byte 12\), .* reads 1 to 2: use the version/,
    );
    await writeFile(path, gzipSync('something'));
    expect(await refusal(verify())).toMatch(/^is not a file of .* at byte 0/);
    await writeFile(path, Buffer.concat([Buffer.from('POSTURE-LOG 1\n'), Buffer.alloc(100, 'x')]));
    expect(await refusal(verify())).toMatch(/^is damaged in its header: it cannot be unpacked as gzip/);
  });

  it.each<[string, (log: MemoryLog) => void, RegExp]>([
    [
      'a hole',
      ({ stored }) => stored[0]!.splice(1, 1),
      /^has a hole: partition 0, offset 1 is missing, partition 0, offset 2 follows/,
    ],
    ['no identity', ({ stored }) => stored[0]!.splice(0, 1), /^does not begin with its identity/],
    ['an empty partition', ({ stored }) => stored[1]!.splice(0, 1), /^has no record in partition 1/],
  ])('is not written of a log with %s', async (_, harm, expected) => {
    const log = smallLog();
    harm(log);
    expect(await refusal(write(log))).toMatch(expected);
  });
});

describe('importLog', () => {
  it('brings every record to its position', async () => {
    const log = smallLog();
    await write(log);
    const target = new MemoryLog(3);
    const result = await importLog(await LogFile.open(path), target.port);
    expect(result).toEqual({ held: 0, appended: 6 });
    expect(target.stored).toEqual(log.stored);
  });

  it('resumes wherever an import was interrupted', async () => {
    const log = smallLog();
    await write(log);
    const lengths = fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 1 }), fc.nat({ max: 2 }));
    await fc.assert(
      fc.asyncProperty(lengths, async (held) => {
        const target = new MemoryLog(3);
        target.stored.forEach((records, i) => {
          records.push(...log.stored[i]!.slice(0, held[i]));
        });
        const { appended } = await importLog(await LogFile.open(path), target.port);
        expect(appended).toBe(6 - held[0] - held[1] - held[2]);
        expect(target.stored).toEqual(log.stored);
      }),
    );
  });

  it.each<[string, MemoryLog]>([
    ['another log', MemoryLog.opened([[], [], [record(8)]])],
    ['a log that is further', MemoryLog.opened([[record(1), record(2), record(3)], [], [record(3)]])],
  ])('rejects %s, and appends nothing', async (_, target) => {
    await write(smallLog());
    const before = target.stored.map((records) => [...records]);
    await expect(importLog(await LogFile.open(path), target.port)).rejects.toThrow(LogNotEmptyError);
    expect(target.stored).toEqual(before);
  });

  it('stops if another program appends at the same time', async () => {
    await write(smallLog());
    const target = new MemoryLog(3);
    target.ends = async () => [0, 0, 0];
    target.stored[0]!.push({ ...record(9), partition: 0, offset: 0, headers: {}, storedAt: 0 });
    await expect(importLog(await LogFile.open(path), target.port)).rejects.toThrow(MisplacedRecordError);
  });
});
