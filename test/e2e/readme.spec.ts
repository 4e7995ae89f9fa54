import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pageBlocks } from '../support/page-blocks.ts';
import { ProjectClone } from '../support/project-clone.ts';
import { expectVerified } from '../support/verify.ts';

const run = promisify(execFile);

const blocks = pageBlocks('README.md').flatMap(({ language, text }) => (language === 'sh' ? [text] : []));

describe('every command of the README but npm test, in its order', () => {
  let clone: ProjectClone;
  const ran: string[] = [];

  beforeAll(async () => {
    clone = await ProjectClone.make();
  });
  afterAll(() => clone.stopAndRemove(), 60_000);

  /** One shell for all blocks would hide that a newcomer pastes them one by one: variables live within a block alone. */
  async function paste(commands: string, timeoutMs: number): Promise<string> {
    ran.push(...commands.split('\n'));
    const { stdout } = await run('bash', ['-euc', clone.here(commands)], {
      cwd: clone.folder,
      env: clone.env,
      timeout: timeoutMs,
      maxBuffer: 64 * 2 ** 20,
    });
    return stdout;
  }
  const blockWith = (text: string) => blocks.find((block) => block.includes(text))!;

  it('npm start prints an address, credentials, and a curl line that works when pasted', async () => {
    ran.push(blockWith('npm start'));
    const output = await clone.start();
    const curl = /^ *(curl .*)$/m.exec(output)![1]!;
    expect(JSON.parse(await paste(curl, 10_000))).toMatchObject({ status: 'success', expiresIn: 3600 });
    ran.pop();
  }, 120_000);

  it('a first upload, after a look at what it would come to', async () => {
    expect(await paste(blockWith('--dry-run'), 60_000)).toMatch(/nothing was stored[\s\S]*created/);
    expect(await paste(blockWith('npx posture upload examples'), 60_000)).toMatch(/created/);
  }, 60_000);

  it('a look at the findings, and one signal as JSON', async () => {
    const signIn = blockWith('TOKEN=');
    const found = await paste(signIn, 10_000);
    expect(JSON.parse(found).items.length).toBeGreaterThan(0);
    const post = blockWith('--data');
    const answer = await paste(`${signIn} >/dev/null\n${post}`, 10_000);
    expect(JSON.parse(answer)).toMatchObject({ success: true, accepted: 1 });
  }, 30_000);

  it('a credential for a scanner', async () => {
    expect(await paste(blockWith('posture credentials'), 30_000)).toMatch(/^[\w-]{24}\n$/);
  }, 30_000);

  it('the demo', async () => {
    expect(await paste(blockWith('npm run demo'), 300_000)).toMatch(/\d/);
  }, 300_000);

  it(
    'left tables that are what the log says',
    () => expectVerified({ DATA_DIR: join(clone.folder, '.data') }),
    120_000,
  );

  it('left none out', () => {
    const commands = blocks.flatMap((block) => block.split('\n')).filter((line) => line !== 'npm test');
    expect(commands.filter((line) => !ran.some((command) => command.startsWith(line)))).toEqual([]);
  });
});
