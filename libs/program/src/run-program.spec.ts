import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

/** A database that accepts connections and never answers: a program that waits for it cannot stop yet. */
const silent = createServer((socket) => socket.resume());
beforeAll(async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(() => new Promise((resolve) => silent.close(resolve)));

it('ends at once at a second signal, but not at a Ctrl-C that npm repeats', async () => {
  const { port } = silent.address() as AddressInfo;
  const connected = once(silent, 'connection');
  const program = spawn(process.execPath, ['dist/programs/scorer.js'], {
    env: { PATH: process.env.PATH, PORT: '0', DATABASE_URL: `postgres://posture@127.0.0.1:${port}/posture` },
    stdio: 'ignore',
  });
  const ended = once(program, 'close');
  await connected;
  program.kill('SIGINT');
  program.kill('SIGINT');
  await setTimeout(1_200);
  expect(program.exitCode).toBeNull();
  program.kill('SIGINT');
  expect(await ended).toEqual([1, null]);
});
