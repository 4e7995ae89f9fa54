import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigError } from './config-error.ts';
import { deriveKey, loadSecretKeys } from './secret-key.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'posture-key-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('loadSecretKeys (R-KEY-1)', () => {
  it('uses POSTURE_SECRET_KEY and does not touch the folder', async () => {
    expect(await loadSecretKeys({ secretKey: 'k'.repeat(32), dataDir })).toEqual([
      Buffer.from('k'.repeat(32)),
    ]);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('creates a key at the first start, readable only by its owner, and reads it at the next', async () => {
    const folder = join(dataDir, 'new', 'folder');
    const first = await loadSecretKeys({ dataDir: folder });
    expect(first).toEqual([expect.any(Buffer)]);
    expect(first[0]).toHaveLength(32);
    expect(await readdir(folder)).toEqual(['secret-key']);
    expect((await stat(join(folder, 'secret-key'))).mode & 0o777).toBe(0o600);
    expect(await loadSecretKeys({ dataDir: folder })).toEqual(first);
  });

  it('gives processes that start at the same time the same key', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadSecretKeys({ dataDir })));
    expect(new Set(keys.map(([key]) => key!.toString('hex'))).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['secret-key']);
  });

  it('keeps the one before, from the environment or the file’s second line', async () => {
    const [secretKey, previousSecretKey] = ['n'.repeat(32), 'o'.repeat(32)] as const;
    const keys = await loadSecretKeys({ secretKey, previousSecretKey, dataDir });
    expect(keys.map(String)).toEqual([secretKey, previousSecretKey]);
    await writeFile(join(dataDir, 'secret-key'), `${'a'.repeat(64)}\n${'b'.repeat(64)}\n`);
    const stored = await loadSecretKeys({ dataDir });
    expect(stored.map((key) => key.toString('hex'))).toEqual(['a'.repeat(64), 'b'.repeat(64)]);
  });

  it('rejects a file without a key, and does not print its content', async () => {
    await writeFile(join(dataDir, 'secret-key'), 'not a key');
    await expect(loadSecretKeys({ dataDir })).rejects.toThrow(ConfigError);
    await expect(loadSecretKeys({ dataDir })).rejects.toThrow(/64 hexadecimal digits/);
    expect(await readFile(join(dataDir, 'secret-key'), 'utf8')).toBe('not a key');
    await writeFile(join(dataDir, 'secret-key'), '');
    await expect(loadSecretKeys({ dataDir })).rejects.toThrow(`${join(dataDir, 'secret-key')} is empty`);
  });
});

describe('deriveKey', () => {
  it('derives a separate key for every use, always the same', () => {
    const secret = Buffer.alloc(32, 1);
    expect(deriveKey(secret, 'tokens')).toHaveLength(32);
    expect(deriveKey(secret, 'tokens')).toEqual(deriveKey(secret, 'tokens'));
    expect(deriveKey(secret, 'tokens')).not.toEqual(deriveKey(secret, 'secrets'));
    expect(deriveKey(secret, 'tokens')).not.toEqual(deriveKey(Buffer.alloc(32, 2), 'tokens'));
  });
});
