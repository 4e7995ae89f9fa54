import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryDataDir } from '../support/started-standalone.ts';
import { expectVerified } from '../support/verify.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** The shell blocks of the README, in order. */
const blocks = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, text]) => text!.trim(),
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

describe('every command of the README but npm test, in its order', () => {
  let clone: string;
  let program: ChildProcess;
  let env: NodeJS.ProcessEnv;
  let output = '';
  const ran: string[] = [];

  beforeAll(async () => {
    // A folder like a clone, so that .data is not the developer's own.
    clone = await temporaryDataDir();
    for (const name of readdirSync(ROOT)) {
      if (!name.startsWith('.')) symlinkSync(join(ROOT, name), join(clone, name));
    }
    env = { ...process.env, PORT: String(await freePort()), NODE_OPTIONS: '' };
    env.POSTURE_URL = `http://127.0.0.1:${env.PORT}`;
  });
  afterAll(async () => {
    if (program.exitCode === null) {
      const ended = once(program, 'close');
      process.kill(-program.pid!, 'SIGINT');
      await ended;
    }
    await rm(clone, { recursive: true, force: true });
  }, 60_000);

  /** One shell for all blocks would hide that a newcomer pastes them one by one: variables live within a block alone. */
  async function paste(commands: string, timeoutMs: number): Promise<string> {
    ran.push(...commands.split('\n'));
    const script = commands.replaceAll('8080', env.PORT!);
    const { stdout } = await run('bash', ['-euc', script], {
      cwd: clone,
      env,
      timeout: timeoutMs,
      maxBuffer: 64 * 2 ** 20,
    });
    return stdout;
  }
  const blockWith = (text: string) => blocks.find((block) => block.includes(text))!;

  it('npm start prints an address, credentials, and a curl line that works when pasted', async () => {
    ran.push(blockWith('npm start'));
    program = spawn('npm', ['start'], {
      cwd: clone,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<void>((resolve, reject) => {
      program.once('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)));
      program.stdout!.on('data', (text) => {
        output += text;
        if (output.includes('Ctrl-C')) resolve();
      });
    });
    const curl = /^ *(curl .*)$/m.exec(output)![1]!;
    expect(JSON.parse(await paste(curl, 10_000))).toMatchObject({ status: 'success', expiresIn: 3600 });
    ran.pop();
  }, 120_000);

  it('a first upload', async () => {
    expect(await paste(blockWith('npx posture upload'), 60_000)).toMatch(/created/);
  }, 60_000);

  it('a look at the findings, and one signal as JSON', async () => {
    const signIn = blockWith('TOKEN=');
    const found = await paste(signIn, 10_000);
    expect(JSON.parse(found).items.length).toBeGreaterThan(0);
    const post = blockWith('--data');
    const answer = await paste(`${signIn} >/dev/null\n${post}`, 10_000);
    expect(JSON.parse(answer)).toMatchObject({ success: true, accepted: 1 });
  }, 30_000);

  it('the demo', async () => {
    expect(await paste(blockWith('npm run demo'), 300_000)).toMatch(/\d/);
  }, 300_000);

  it(
    'left tables that are what the log says',
    () => expectVerified({ DATA_DIR: join(clone, '.data') }),
    120_000,
  );

  it('left none out', () => {
    const commands = blocks.flatMap((block) => block.split('\n')).filter((line) => line !== 'npm test');
    expect(commands.filter((line) => !ran.some((command) => command.startsWith(line)))).toEqual([]);
  });
});
