import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { writeDurably } from './write-durably.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'durable-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('creates folders and file, accessible only to the owner, and nothing else', async () => {
  const path = join(folder, 'a', 'b', 'key');
  await writeDurably(path, 'one');
  await writeDurably(path, 'two');
  expect(await readFile(path, 'utf8')).toBe('two');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, 'a', 'b'))).toEqual(['key']);
});

it('keeps the first of several concurrent writes, if requested', async () => {
  const path = join(folder, 'key');
  const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(1_000));
  await Promise.all(texts.map((text) => writeDurably(path, text, { ifAbsent: true })));
  const kept = await readFile(path, 'utf8');
  expect(texts).toContain(kept);
  await writeDurably(path, 'later', { ifAbsent: true });
  expect(await readFile(path, 'utf8')).toBe(kept);
  expect(await readdir(folder)).toEqual(['key']);
});

it('names the path that it cannot write, and the reason', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(writeDurably(join(file, 'sub', 'key'), 'x')).rejects.toThrow(
    `cannot write ${join(file, 'sub')} (ENOTDIR: not a directory)`,
  );
  await expect(writeDurably(folder, 'x')).rejects.toThrow(`cannot write ${folder} (`);
  expect(await readdir(folder)).toEqual(['file']);
});
