import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import type { AssetState, IntakeEvent } from '#libs/domain';
import type { LogRecord, StoredRecord } from '#libs/event-log';
import { LogHoleError, UnknownRecordError } from '#libs/fold';
import { CHAIN_START, chainAfter } from '#libs/intake';
import { LogContentError, LogFile, readExtent, writeLogFile } from '#libs/log-archive';
import { LOG_ID, MemoryLog } from '../../../test/support/memory-log.ts';
import { DAY_MS, entity, event, signal, T0, upload, uploadId } from '../../../test/support/scenario.ts';
import type { KnownPartition } from './as-of-fold.ts';
import { correctionsIn } from './corrections.ts';
import { BeforeLogError, knownAt } from './known-at.ts';
import { logFingerprint } from './log-fingerprint.ts';
import { fileLog, type ReadableLog, siteLog } from './readable-log.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'known-at-'));
});
afterAll(() => rm(dir, { recursive: true }));

const at = (days: number) => T0 + days * DAY_MS;

const record = (one: IntakeEvent): LogRecord => ({ key: one.envelope.entityKey, value: encodeIntake(one) });
const seen = (host: string, days: number, name = 'open port') =>
  record(
    event(
      signal(name, 'fail', { entity: entity({ name: host }) }),
      at(days),
      { uploadId: uploadId(days * 1000) },
      { entityKey: `machine:${host}` },
    ),
  );
const corrupt: LogRecord = { key: 'machine:a', value: Buffer.from([0, 0, 0, 0, 1, 255]) };
const unknown: LogRecord = { key: 'machine:a', value: Buffer.from([0, 0, 0, 255, 255, 1]) };

async function all(log: ReadableLog, instant: number): Promise<KnownPartition[]> {
  const known: KnownPartition[] = [];
  for await (const partition of knownAt(log, instant)) known.push(partition);
  await log.close();
  return known;
}

async function* batchesOf({ stored }: MemoryLog): AsyncGenerator<StoredRecord[]> {
  yield* stored;
}

const siteOf = (log: MemoryLog, onRecords?: (count: number) => void) =>
  siteLog(log.port, () => correctionsIn(batchesOf(log)), onRecords);

const told = (known: KnownPartition[]) =>
  known.map(({ records, assets }) => [records, assets.map(({ asset }) => asset.name)]);

const headOf = (records: StoredRecord[]) => records.reduce(chainAfter, CHAIN_START);

async function fileOf(log: MemoryLog): Promise<string> {
  const path = join(dir, 'log');
  await writeLogFile(log.port, await readExtent(log.port), createWriteStream(path));
  return path;
}

const LOG = MemoryLog.opened([
  [seen('a', 1), corrupt, seen('b', 3), seen('c', 2), seen('d', 5)],
  [],
  [seen('e', 4), seen('f', 1)],
]);

describe('the state at an instant', () => {
  it.each([
    [
      0,
      [
        [1, []],
        [1, []],
        [1, []],
      ],
    ],
    // A corrupt record advances no clock: it is known with the records before it.
    [
      1,
      [
        [3, ['a']],
        [1, []],
        [1, []],
      ],
    ],
    // A slow clock's event is known when its place in the log is, not when its own time says.
    [
      2,
      [
        [3, ['a']],
        [1, []],
        [1, []],
      ],
    ],
    [
      3,
      [
        [5, ['a', 'b', 'c']],
        [1, []],
        [1, []],
      ],
    ],
    [
      4,
      [
        [5, ['a', 'b', 'c']],
        [1, []],
        [3, ['e', 'f']],
      ],
    ],
    [
      1000,
      [
        [6, ['a', 'b', 'c', 'd']],
        [1, []],
        [3, ['e', 'f']],
      ],
    ],
  ])('is the longest prefix of each partition whose clock is not past it: day %d', async (days, expected) => {
    for (const log of [await siteOf(LOG), fileLog(await LogFile.open(await fileOf(LOG)))]) {
      const known = await all(log, at(days));
      expect(told(known)).toEqual(expected);
      for (const { partition, records, head } of known) {
        expect(head).toEqual(headOf(LOG.stored[partition]!.slice(0, records)));
      }
    }
  });

  it('passes on what is changed later, to another instant, beside the state at the first one', async () => {
    const later: string[][] = [];
    let names: string[] = [];
    const take = ({ touchedAssets }: { touchedAssets: Set<AssetState> }) => {
      names.push(...[...touchedAssets].map(({ asset }) => asset.name));
    };
    const known: KnownPartition[] = [];
    for await (const partition of knownAt(await siteOf(LOG), at(1), { until: at(4), take })) {
      known.push(partition);
      later.push(names);
      names = [];
    }
    expect(told(known)).toEqual(told(await all(await siteOf(LOG), at(1))));
    // d is of day 5; f, of a slow clock, is known with e.
    expect(later).toEqual([['b', 'c'], [], ['e', 'f']]);
  });

  it('is that after the correction of two clocks that were ahead, until which it reads', async () => {
    const corrected = event({ type: 'ClockCorrected', reason: 'NTP' }, at(2), {}, { entityKey: 'log:0' });
    const log = MemoryLog.opened([
      [seen('a', 1), seen('ahead', 100), seen('b', 101), record(corrected), seen('c', 3), seen('d', 5)],
      [seen('e', 4)],
    ]);
    const fileOfLog = await fileOf(log);
    for (const reading of [() => siteOf(log), async () => fileLog(await LogFile.open(fileOfLog))]) {
      expect(told(await all(await reading(), at(1)))).toEqual([
        [2, ['a']],
        [1, []],
      ]);
      expect(told(await all(await reading(), at(4)))).toEqual([
        [6, ['a', 'c']],
        [2, ['e']],
      ]);
    }
  });

  it('is nothing before the first event, and says when that was', async () => {
    const reading = all(await siteOf(LOG), T0 - 1);
    await expect(reading).rejects.toThrow(BeforeLogError);
    await expect(reading).rejects.toThrow('the first event of the log is from 2026-01-01T00:00:00.000Z');
  });

  it('takes an event that comes again for a repeat, however many uploads lie between', async () => {
    const hosts = Array.from({ length: 2_500 }, (_, n) =>
      upload(n, at(1), [signal(`finding ${n % 7}`), signal('once')], { entityKey: 'machine:web01' }).map(
        record,
      ),
    ).flat();
    const [first] = upload(3, at(1), [signal('never again')], { entityKey: 'machine:web01' });
    const [known] = await all(await siteOf(MemoryLog.opened([[...hosts, record(first!)]])), at(2));
    const names = [...known!.assets[0]!.findings.values()].map(({ finding }) => finding.name);
    expect(names).toHaveLength(8);
    expect(names).not.toContain('never again');
  });

  it('stops at a gap, and at a schema that this version does not know, with the position', async () => {
    const holed = MemoryLog.opened([[], [seen('a', 1), seen('b', 1), seen('c', 1)]]);
    holed.stored[1]!.splice(2, 1);
    const reading = all(await siteOf(holed), at(2));
    await expect(reading).rejects.toThrow(LogHoleError);
    await expect(reading).rejects.toThrow('partition 1 continues at offset 3, but 2 is next');

    const cut = MemoryLog.opened([[seen('a', 1), seen('b', 1)]]);
    const log = await siteOf(cut);
    cut.stored[0]!.length = 2;
    await expect(all(log, at(2))).rejects.toThrow('partition 0 ends at offset 2, but 3 is known');

    const later = MemoryLog.opened([[seen('a', 1), unknown, seen('b', 3), unknown]]);
    const stopped = all(await siteOf(later), at(2));
    await expect(stopped).rejects.toThrow(UnknownRecordError);
    await expect(stopped).rejects.toThrow('partition 0, offset 2: unknown schema id 65535');
    // After the instant, the unknown schema has no effect.
    later.stored[0]!.splice(2, 1);
    for (const [offset, stored] of later.stored[0]!.entries()) stored.offset = offset;
    expect(told(await all(await siteOf(later), at(2)))).toEqual([[2, ['a']]]);
  });

  it('reads a site no further than the instant, a file to its checksum', async () => {
    const many = MemoryLog.opened([Array.from({ length: 100 }, (_, n) => seen('a', 1 + n))]);
    let read = 0;
    const count = (records: number) => {
      read += records;
    };
    await all(await siteOf(many, count), at(2));
    expect(read).toBeLessThan(10);

    const path = await fileOf(many);
    read = 0;
    await all(fileLog(await LogFile.open(path), count), at(2));
    expect(read).toBe(101);
    const bytes = await readFile(path);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(path, bytes);
    await expect(all(fileLog(await LogFile.open(path)), at(2))).rejects.toThrow(LogContentError);
  });
});

describe('the fingerprint of a log', () => {
  const parts = [
    { partition: 0, records: 3, head: Buffer.alloc(32, 1) },
    { partition: 1, records: 0, head: CHAIN_START },
  ];

  it('is a checksum of lines that anybody can write', () => {
    const lines = `${LOG_ID}\n0 3 ${'01'.repeat(32)}\n1 0 ${'00'.repeat(32)}\n`;
    expect(logFingerprint(LOG_ID, parts)).toBe(createHash('sha256').update(lines).digest('hex'));
  });

  it('is another for another log, end or head', () => {
    const [first, second] = parts as [(typeof parts)[0], (typeof parts)[0]];
    const others = [
      logFingerprint(LOG_ID, parts),
      logFingerprint('another', parts),
      logFingerprint(LOG_ID, [first]),
      logFingerprint(LOG_ID, [{ ...first, records: 4 }, second]),
      logFingerprint(LOG_ID, [{ ...first, head: Buffer.alloc(32, 2) }, second]),
    ];
    expect(new Set(others).size).toBe(others.length);
  });
});
