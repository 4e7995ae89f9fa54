import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { plainSignal } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { runPosture } from '../posture.ts';

let gateway: StartedGateway;

beforeAll(async () => {
  gateway = await StartedGateway.start({
    folds: true,
    env: { SEAL_PERSONAL_TEXTS: 'true', SEAL_MACHINES: 'phone-*' },
  });
});
afterAll(() => gateway.stop());

describe('posture erase', () => {
  async function run(...args: string[]) {
    const [username, password] = gateway.credentialsOf('admin').split(':') as [string, string];
    const terminal = recordingTerminal({
      POSTURE_URL: gateway.url,
      POSTURE_USERNAME: username,
      POSTURE_PASSWORD: password,
    });
    const exitCode = await runPosture(['erase', ...args], terminal);
    return { exitCode, out: terminal.out(), err: terminal.err() };
  }

  it('erases, lists, and exits with 2 for an unknown subject', async () => {
    const admin = await gateway.client('admin');
    const entity = { type: 'user', name: 'flo' };
    expect((await admin.signal(plainSignal('leaked password', '', { entity }))).status).toBe(200);
    const erased = await run('user:flo', '--reason', 'ticket 44');
    expect(erased).toMatchObject({ exitCode: 0, err: '' });
    const subject = /^Erased subject ([\w-]{22}): [1-9]\d* values; its key was destroyed at \S+\n$/.exec(
      erased.out,
    )![1]!;
    const again = await run(subject, '--reason', 'ticket 44', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ ok: true, erasure: { id: subject, reason: 'ticket 44' } });
    const [head, first] = (await run('--list')).out.split('\n');
    expect(head).toMatch(/^Subject +Erased +By +Key destroyed +Reason$/);
    expect(first).toMatch(new RegExp(`^${subject} .* admin .* ticket 44$`));
    expect((await admin.signal(plainSignal('leaked password', 'phone-1'))).status).toBe(200);
    expect(await run('machine:PHONE-1', '--reason', 'sold')).toMatchObject({ exitCode: 0, err: '' });
    expect(await run('user:flo', '--reason', 'r')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('no subject has the type user and the name flo'),
    });
  });

  it('takes an id that begins with "-", in any place', async () => {
    const id = `-${'M'.repeat(21)}`;
    for (const args of [
      [id, '--reason', 'r'],
      ['--reason', 'r', id],
      ['--reason', 'r', '--', id],
    ]) {
      expect(await run(...args)).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining(`no subject has the id ${id}`),
      });
    }
    expect(await run(id, '--resaon', 'r')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('unknown option'),
    });
  });

  it.each([[[]], [['user:ana']], [['--reason', 'r']], [['user:ana', '--list']], [['ana', '--reason', 'r']]])(
    'rejects %j with a sentence',
    async (args) => {
      expect(await run(...args)).toMatchObject({
        exitCode: 2,
        out: '',
        err: expect.stringMatching(/^posture: \S/),
      });
    },
  );
});
