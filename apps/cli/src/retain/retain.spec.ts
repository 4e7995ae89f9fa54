import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FINDINGS_TOPIC } from '#libs/contracts';
import { DAY_MS } from '#libs/domain';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { plainSignal } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { runPosture } from '../posture.ts';

const REAL = Date.now();
let day = 100;
let gateway: StartedGateway;

beforeAll(async () => {
  const clock = () => REAL - day * DAY_MS;
  gateway = await StartedGateway.start({ folds: true, clock });
  for (day of [100, 80, 60]) {
    const admin = await gateway.client('admin');
    const sent = await admin.signal(plainSignal('open port', 'web01', { description: `at ${day}` }));
    await admin.folded(sent.body.uploadId);
  }
  day = 0;
  await gateway.database.pool.query(`insert into published_changes
    select '${FINDINGS_TOPIC}', partition, finding_sequence from projection_positions`);
  await scoreAll(gateway.database, gateway.log.partitions, REAL);
});
afterAll(() => gateway.stop());

describe('posture retain', () => {
  async function run(...args: string[]) {
    const [username, password] = gateway.credentialsOf('admin').split(':') as [string, string];
    const terminal = recordingTerminal({
      POSTURE_URL: gateway.url,
      POSTURE_USERNAME: username,
      POSTURE_PASSWORD: password,
    });
    const exitCode = await runPosture(['retain', ...args], terminal);
    return { exitCode, out: terminal.out(), err: terminal.err() };
  }

  it.each([
    [['--type', 'va'], '--type requires --dry-run'],
    [['--dry-run', '--days', '90'], '--days requires --type'],
    [['--dry-run', '--type', 'va', '--days', 'x'], '--days must be a whole number (got x)'],
    [['--dry-run', '--type', 'va', '--days', '7'], 'days must not be less than 30'],
    [['--dry-run', '--type', 'firewall', '--days', '90'], 'type must be one of'],
  ])('rejects %j', async (args, message) => {
    expect(await run(...args)).toMatchObject({ exitCode: 2, out: '', err: expect.stringContaining(message) });
  });

  it('counts, then removes until nothing is left', async () => {
    const nothing = 'the history of all findings is kept for ever';
    expect(await run('--dry-run')).toMatchObject({ exitCode: 1, err: expect.stringContaining(nothing) });
    const preview = await run('--dry-run', '--type', 'va', '--days', '30', '--json');
    expect(JSON.parse(preview.out)).toMatchObject({
      ok: true,
      previews: [{ type: 'va', days: 30, changes: 2, findings: 1, subjects: 0, waitingFor: [] }],
    });
    const before = await run('--json');
    expect(JSON.parse(before.out)).toMatchObject({ ok: true, removed: 0 });
    const admin = await gateway.client('admin');
    const changed = JSON.stringify({ historyRetentionDays: { va: 30 } });
    await admin.request('PATCH', '/api/v3/settings', changed, { 'content-type': 'application/json' });
    const { exitCode, out } = await run();
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/^va +30 +\d{4}-\S+ +2$/m)]);
    const again = JSON.parse((await run('--json')).out);
    expect(again).toMatchObject({ ok: true, removed: 0 });
  });
});
