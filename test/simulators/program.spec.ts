import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { FALCON_CLIENTS } from '../../apps/simulators/src/index.ts';

const run = promisify(execFile);
const PROGRAM = ['--enable-source-maps', 'dist/programs/simulators.js'];

describe('npm run simulators', () => {
  it('starts the requested simulators, prints how to sign in, and ends with Ctrl-C', async () => {
    const sizes = ['--hosts', '20', '--alerts', '30', '--devices', '40', '--seed', '7'];
    const child = spawn(process.execPath, [...PROGRAM, '--port', '0', ...sizes], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (lines.length === 5) break;
    }
    const url = lines[0]?.replace('Simulators on ', '') ?? '';
    expect(await (await fetch(`${url}/simulator/state`)).json()).toMatchObject({
      hosts: 20,
      alerts: 30,
      devices: 40,
    });
    expect(lines[2]).toContain(FALCON_CLIENTS.full.id);
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });

  it.each([
    ['an unknown option', ['--x']],
    ['a number that is none', ['--hosts', 'many']],
  ])('reports the problem of %s', async (_, args) => {
    await expect(run(process.execPath, [...PROGRAM, ...args])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error: '),
    });
  });

  it('reports the problem of a missing host', async () => {
    await expect(run(process.execPath, [...PROGRAM, '--hosts', '0'])).rejects.toMatchObject({
      code: 1,
      stderr: 'hosts: 1 or more are needed\n',
    });
  });
});
