import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeDisks, LoopDisk } from './loop-disk.ts';

describeDisks('LoopDisk', () => {
  let disk: LoopDisk;

  beforeEach(async () => {
    disk = await LoopDisk.make(16);
  });

  afterEach(() => disk.remove());

  it('can be read after a loss of power, also if another mount namespace kept it for a while', async () => {
    const file = join(disk.path, 'file');
    await writeFile(file, 'flushed', { flush: true });
    const container = spawn('unshare', ['--mount', 'sh', '-c', 'echo; read line'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(container.stdout, 'data');
    await disk.cutPower();
    const mounted = disk.mountAgain();
    setTimeout(() => container.stdin.end('\n'), 1_000);
    await mounted;
    expect(await readFile(file, 'utf8')).toBe('flushed');
  });
});
