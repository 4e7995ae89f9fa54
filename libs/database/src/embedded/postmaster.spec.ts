import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { stopPostmaster } from './postmaster.ts';

it('sends no signal to the process that has the id of a stopped PostgreSQL', async () => {
  const stranger = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  await once(stranger, 'spawn');
  await stopPostmaster(stranger.pid!, () => true);
  stranger.stdin.end();
  expect(await once(stranger, 'exit')).toEqual([0, null]);
});
