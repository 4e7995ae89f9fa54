import { randomUUID } from 'node:crypto';
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { removeUnfinished, writeNewFile } from './write-new-file.ts';

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

  it('is not mixed with another run, and only its owner may read each', async () => {
    const path = join(folder, 'file');
    const reached: (() => void)[] = [];
    const bothBegun = [0, 1].map(() => new Promise<void>((resolve) => reached.push(resolve)));
    const whole = ['a', 'b'].map((letter) => letter.repeat(100_000));
    const runs = whole.map((text, run) =>
      writeNewFile(path, async (stream) => {
        reached[run]!();
        await Promise.all(bothBegun);
        await pipeline([text.slice(0, 50_000), text.slice(50_000)], stream);
        expect(whole).toContain(await readFile(path, 'utf8').catch(() => text));
      }),
    );
    await Promise.all(runs);
    expect(whole).toContain(await readFile(path, 'utf8'));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('writes into no file that another user has put there', async () => {
    const [path, target] = [join(folder, 'file'), join(folder, 'target')];
    await writeFile(target, 'kept');
    await symlink(target, `${path}.unfinished`);
    await writeNewFile(path, (stream) => pipeline(['whole'], stream));
    expect(await readFile(target, 'utf8')).toBe('kept');
    expect((await lstat(path)).isFile()).toBe(true);
  });

  it('leaves files that can be deleted if a process was killed, and no other file is', async () => {
    const left = [`keys.unfinished`, `keys.${randomUUID()}.unfinished`];
    const others = [
      'keys',
      'keys.new',
      `keys.new.${randomUUID()}.unfinished`,
      'keys.tar.unfinished',
      `keys.${randomUUID()}`,
    ].sort();
    for (const name of [...left, ...others]) await writeFile(join(folder, name), '');
    await removeUnfinished(folder, (name) => name === 'keys');
    expect((await readdir(folder)).sort()).toEqual(others);
  });

  it('names the file if its disk is full: the error of a stream names none', async () => {
    const path = join(folder, 'file');
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const writing = writeNewFile(path, () => Promise.reject(full));
    await expect(writing).rejects.toMatchObject({ name: 'StorageError', code: 'ENOSPC', path });
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
