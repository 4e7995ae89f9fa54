import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RecordsGoneError, type StoredRecord } from '#libs/event-log';
import { CHAIN_START, chainAfter, formerChainAfter, INTAKE_TOPIC } from '#libs/intake';
import { runs } from '../../../test/support/long-run.ts';
import { LOG_ID, MemoryLog } from '../../../test/support/memory-log.ts';
import { archivePartition } from './archive-partition.ts';
import { ArchivedLog } from './archived-log.ts';
import { FileError } from './file-error.ts';
import { LogContentError } from './log-content-error.ts';
import { seal } from './seal.ts';
import { SEGMENT_FILE, SEGMENT_FRAMES } from './segment.ts';
import { verifySegment } from './segment-file.ts';
import { segmentName, segmentsOf } from './segment-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posture-segments-'));
});
afterEach(() => rm(folder, { recursive: true }));

const record = (n: number) => ({
  key: `machine:web${n}`,
  value: Buffer.concat([Buffer.from([0, 0, 0, 0, 9]), Buffer.alloc(30, n)]),
  headers: { n: `${n}` },
});
/** One partition, with its opening before as many records. */
const logOf = (records: number) => MemoryLog.opened([Array.from({ length: records }, (_, i) => record(i))]);
const headAt = (records: StoredRecord[], to: number) => records.slice(0, to).reduce(chainAfter, CHAIN_START);

/** A segment as release 0.1.0 wrote it. */
async function writeFormer(records: StoredRecord[], from: number, to: number): Promise<void> {
  const headBefore = (offset: number) => records.slice(0, offset).reduce(formerChainAfter, CHAIN_START);
  const place = { partition: 0, from, to };
  const header = { logId: LOG_ID, partitions: 1, ...place, before: headBefore(from), after: headBefore(to) };
  const frames = [{ Header: header }, ...records.slice(from, to).map((one) => ({ Record: one }))];
  await seal(
    { ...SEGMENT_FILE, version: 1 },
    async function* () {
      for (const frame of frames) yield SEGMENT_FRAMES.encode(frame);
    },
    createWriteStream(join(folder, segmentName(place))),
    true,
  );
}

/** @param records all records that the log ever had */
const archive = (log: MemoryLog, records: StoredRecord[], to: number) =>
  archivePartition(
    log.port,
    { logId: LOG_ID, partitions: 1, partition: 0, to, head: headAt(records, to) },
    folder,
  );

async function readAll(log: MemoryLog, from = 0, to = Number.MAX_SAFE_INTEGER, logId = LOG_ID) {
  const records: StoredRecord[] = [];
  const archived = new ArchivedLog(log.port, { folder, logId });
  for await (const batch of archived.read(INTAKE_TOPIC, 0, from, to)) {
    expect(batch.length).toBeGreaterThan(0);
    records.push(...batch);
  }
  return records;
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(FileError);
  return error!.message;
}

describe('an archived log', () => {
  it('is read as if nothing had been moved, for any moved and any requested range', async () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 });
    const range = fc.tuple(fc.nat(14), fc.nat(14));
    await fc.assert(
      fc.asyncProperty(cuts, range, async (given, [from, to]) => {
        await rm(folder, { recursive: true });
        await mkdir(folder);
        const log = logOf(11);
        const all = [...log.stored[0]!];
        const sorted = given.sort((a, b) => a - b);
        for (const [i, cut] of sorted.entries()) {
          const before = sorted[i - 1] ?? 0;
          expect(await archive(log, all, cut)).toEqual({ written: cut - before, removed: cut - before });
        }
        expect(await log.starts()).toEqual([sorted.at(-1) ?? 0]);
        expect(await readdir(folder)).toHaveLength(given.length);
        expect(await readAll(log, from, to)).toEqual(
          all.filter(({ offset }) => offset >= from && offset < to),
        );
      }),
      { numRuns: runs(60) },
    );
  });

  it('continues if records are moved while it is read', async () => {
    const log = logOf(11);
    const all = [...log.stored[0]!];
    const read: StoredRecord[] = [];
    const archived = new ArchivedLog(log.port, { folder });
    for await (const batch of archived.read(INTAKE_TOPIC, 0, 0, 12)) {
      if (read.length === 0) await archive(log, all, 7);
      read.push(...batch);
    }
    expect(read).toEqual(all);
  });

  it('omits records that are appended after the call, and does not change other topics', async () => {
    const log = logOf(2);
    const all = [...log.stored[0]!];
    await archive(log, all, 3);
    const archived = new ArchivedLog(log.port, { folder });
    const reading = archived.read(INTAKE_TOPIC, 0, 0, 100)[Symbol.asyncIterator]();
    const first = reading.next();
    await log.append(INTAKE_TOPIC, [{ ...record(9), partition: 0 }]);
    expect((await first).value).toEqual(all);
    expect((await reading.next()).done).toBe(true);
    await expect(archived.read('posture.findings', 0, 0, 1)[Symbol.asyncIterator]().next()).rejects.toThrow(
      RecordsGoneError,
    );
  });

  it('reports the beginning of the log and the variable to set if there is no segment', async () => {
    const log = logOf(4);
    const all = [...log.stored[0]!];
    await archive(log, all, 3);
    const { path } = (await segmentsOf(folder, 0))[0]!;
    await rm(path);
    await expect(readAll(log)).rejects.toThrow(RecordsGoneError);
    await expect(readAll(log)).rejects.toThrow(
      `the log begins at partition 0, offset 3, and offset 0 is in no segment of ${folder}: set LOG_ARCHIVE to`,
    );
    expect(await readAll(log, 3)).toEqual(all.slice(3));
    await rm(folder, { recursive: true });
    await expect(readAll(log)).rejects.toThrow('set LOG_ARCHIVE to the directory of the older segments');
    await mkdir(folder);
  });

  it('rejects a segment with any bit changed, truncated, or with data after its end', async () => {
    const log = logOf(3);
    await archive(log, [...log.stored[0]!], 4);
    const segment = (await segmentsOf(folder, 0))[0]!;
    await verifySegment(segment);
    const bytes = await readFile(segment.path);
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 1 << (at % 8);
      await writeFile(segment.path, damaged);
      expect(await refusal(verifySegment(segment))).toMatch(/damaged|not a file of|format version/);
      expect(await refusal(readAll(log))).toContain(`${segment.path} `);
      await writeFile(segment.path, bytes.subarray(0, at));
      expect(await refusal(verifySegment(segment))).toMatch(/damaged|not a file of|cut off/);
    }
    await writeFile(segment.path, Buffer.concat([bytes, Buffer.from([0])]));
    expect(await refusal(verifySegment(segment))).toMatch(/damaged/);
  });

  it('rejects a segment of another log, of another place, of another history, or one missing between', async () => {
    const log = logOf(8);
    const all = [...log.stored[0]!];
    for (const to of [3, 6, 8]) await archive(log, all, to);
    expect(await refusal(readAll(log, 0, 1, 'another'))).toMatch(
      new RegExp(`^\\S+ belongs to log ${LOG_ID}, but this is log another$`),
    );
    const names = (await readdir(folder)).sort() as [string, string, string];
    const paths = names.map((name) => join(folder, name)) as [string, string, string];

    // A copy of the site that has continued otherwise.
    const fork = logOf(8);
    fork.stored[0]![4] = { ...fork.stored[0]![4]!, key: 'machine:other' };
    const forked = [...fork.stored[0]!];
    const kept = folder;
    folder = await mkdtemp(join(tmpdir(), 'posture-segments-'));
    for (const to of [3, 6, 8]) await archive(fork, forked, to);
    await rename(join(folder, names[2]), paths[2]);
    await rm(folder, { recursive: true });
    folder = kept;
    expect(await refusal(readAll(log))).toBe(
      `${paths[2]} does not continue the chain of the previous segment: partition 0, offset 6`,
    );

    await rename(paths[1], join(folder, 'aside'));
    expect(await refusal(readAll(log))).toBe(
      `${paths[2]} does not follow the previous segment: partition 0, offset 3 is missing`,
    );
    await rename(paths[0], paths[1]);
    await rm(paths[2]);
    expect(await refusal(readAll(log, 3))).toMatch(
      /does not contain what its name states: partition 0, offsets 0 to 2/,
    );
  });
});

describe('archivePartition', () => {
  it('removes nothing if the segment that it finds is damaged', async () => {
    const log = logOf(5);
    const all = [...log.stored[0]!];
    const trim = log.trim.bind(log);
    log.trim = async () => {
      throw new Error('broken off');
    };
    await expect(archive(log, all, 4)).rejects.toThrow('broken off');
    log.trim = trim;
    const { path } = (await segmentsOf(folder, 0))[0]!;
    const bytes = await readFile(path);
    const damaged = Buffer.from(bytes);
    damaged[bytes.length - 40]! ^= 1;
    await writeFile(path, damaged);
    expect(await refusal(archive(log, all, 4))).toMatch(/damaged/);
    expect(await log.starts()).toEqual([0]);
    await writeFile(path, bytes);
    expect(await archive(log, all, 4)).toEqual({ written: 0, removed: 4 });
    expect(await archive(log, all, 4)).toEqual({ written: 0, removed: 0 });
    expect(await archive(log, all, 2)).toEqual({ written: 0, removed: 0 });
    expect(await readAll(log)).toEqual(all);
  });

  it('continues after a segment whose records were removed in part, next to an incomplete file of a killed run', async () => {
    const log = logOf(9);
    const all = [...log.stored[0]!];
    const trim = log.trim.bind(log);
    log.trim = (topic, partition) => trim(topic, partition, 2);
    await archive(log, all, 4);
    log.trim = trim;
    const segment = join(folder, '0000-000000000004-000000000007.posture-segment');
    await writeFile(`${segment}.${randomUUID()}.unfinished`, 'half');
    expect(await archive(log, all, 7)).toEqual({ written: 3, removed: 5 });
    expect(await readdir(folder)).toEqual([
      '0000-000000000000-000000000004.posture-segment',
      '0000-000000000004-000000000007.posture-segment',
    ]);
    expect(await readAll(log)).toEqual(all);
  });

  it('rejects a log that is not the checkpoint’s, or has a hole, and leaves log and folder as they are', async () => {
    const log = logOf(5);
    const all = [...log.stored[0]!];
    const other = [...all.slice(0, 2), { ...all[2]!, key: 'machine:other' }, ...all.slice(3)];
    await expect(archive(log, other, 5)).rejects.toThrow(LogContentError);
    await expect(archive(log, other, 5)).rejects.toThrow(
      'does not contain the records of the checkpoint: the chain of partition 0 at offset 5 differs',
    );
    log.stored[0]!.splice(3, 1);
    await expect(archive(log, all, 5)).rejects.toThrow('has a hole: partition 0, offset 3 is missing');
    expect(await readdir(folder)).toEqual([]);
    expect(await log.starts()).toEqual([0]);
  });

  it('removes no record of a log that was restored and has diverged from its archive', async () => {
    const log = logOf(5);
    log.trim = async () => {
      throw new Error('broken off');
    };
    await expect(archive(log, [...log.stored[0]!], 5)).rejects.toThrow('broken off');
    const { path } = (await segmentsOf(folder, 0))[0]!;

    const fork = logOf(5);
    fork.stored[0]![3] = { ...fork.stored[0]![3]!, key: 'machine:other' };
    const forked = [...fork.stored[0]!];
    for (const to of [4, 5]) {
      expect(await refusal(archive(fork, forked, to))).toBe(
        `${path} does not contain the records of the checkpoint: the chain of partition 0 at offset ${to} differs. If the log was restored to an earlier state, move this segment to another directory`,
      );
    }
    expect(await fork.starts()).toEqual([0]);
    await rm(path);
    expect(await archive(fork, forked, 4)).toEqual({ written: 4, removed: 4 });
    expect(await readAll(fork)).toEqual(forked);
  });

  it('continues after segments of release 0.1.0, whose heads are of the former chain', async () => {
    const log = logOf(9);
    const all = [...log.stored[0]!];
    await writeFormer(all, 0, 3);
    await writeFormer(all, 3, 5);
    await log.trim(INTAKE_TOPIC, 0, 3);
    // The second one was not removed from the log yet.
    expect(await archive(log, all, 7)).toEqual({ written: 2, removed: 4 });
    expect(await archive(log, all, 9)).toEqual({ written: 2, removed: 2 });
    expect(await readAll(log)).toEqual(all);
    expect(await readdir(folder)).toHaveLength(4);
  });

  it('removes no record whose event is another one in a segment of release 0.1.0', async () => {
    const log = logOf(5);
    const all = [...log.stored[0]!];
    const forged = all.map((one) => ({ ...one, value: Buffer.from(one.value) }));
    forged[2]!.value[4] = 8;
    await writeFormer(forged, 0, 5);
    expect(await refusal(archive(log, all, 5))).toMatch(/does not contain the records of the checkpoint/);
    expect(await log.starts()).toEqual([0]);
  });

  it('rejects a folder without the previously moved records', async () => {
    const log = logOf(5);
    const all = [...log.stored[0]!];
    await archive(log, all, 3);
    await rename(folder, `${folder}-aside`);
    await mkdir(folder);
    expect(await refusal(archive(log, all, 5))).toBe(
      `${folder} lacks older segments: the log begins at partition 0, offset 3, and the folder contains no segments. Name the folder that contains the older segments`,
    );
    await rm(folder, { recursive: true });
    await rename(`${folder}-aside`, folder);
    expect(await log.starts()).toEqual([3]);
  });
});
