import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LOG_ID, MemoryLog } from '../../../test/support/memory-log.ts';
import { backUpPartition } from './backup-partition.ts';
import type { CheckpointPosition } from './checkpoint.ts';
import { segmentsOf } from './segment-folder.ts';

const RECORDS = 50;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posture-segments-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the backup of a partition', () => {
  it('reads a segment back that the last complete backup does not contain', async () => {
    const record = (n: number) => ({ key: `machine:web${n}`, value: Buffer.alloc(30, n) });
    const log = MemoryLog.opened([Array.from({ length: RECORDS - 1 }, (_, n) => record(n))]);
    const backUp = (known?: CheckpointPosition) =>
      backUpPartition(log.port, { logId: LOG_ID, partitions: 1, partition: 0, to: RECORDS, known }, folder);
    const complete = await backUp();
    const { path } = (await segmentsOf(folder, 0))[0]!;
    const bytes = await readFile(path);
    bytes[bytes.length - 20]! ^= 1;
    await writeFile(path, bytes);
    expect(await backUp(complete)).toEqual({ ...complete, written: 0 });
    // As after a call that was killed while it read the segment back.
    await expect(backUp()).rejects.toThrow(/is damaged/);
  });
});
