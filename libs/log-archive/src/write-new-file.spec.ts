import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeNewFile } from './write-new-file.ts';

describe('writeNewFile', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'new-file-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('leaves nothing if the writing fails, even before the first byte', async () => {
    const failing = Array.from({ length: 100 }, (_, file) =>
      writeNewFile(join(folder, `${file}`), () => Promise.reject(new Error('no content'))),
    );
    const results = await Promise.allSettled(failing);
    expect(results.map(({ status }) => status)).toEqual(failing.map(() => 'rejected'));
    expect(await readdir(folder)).toEqual([]);
  });

  it('returns what the writer returns, and keeps the file that was there if the writing fails', async () => {
    const path = join(folder, 'file');
    expect(await writeNewFile(path, (stream) => pipeline(['whole'], stream).then(() => 5))).toBe(5);
    const half = writeNewFile(path, async (stream) => {
      stream.write('half');
      throw new Error('no more content');
    });
    await expect(half).rejects.toThrow('no more content');
    expect(await readFile(path, 'utf8')).toBe('whole');
    expect(await readdir(folder)).toEqual(['file']);
  });
});
