import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Schemas } from '#client';
import { encodeIntake } from '#libs/contracts';
import type { IntakePayload } from '#libs/domain';
import { readingAt } from '#libs/domain';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { Projection } from '#libs/projection';
import { recordingTerminal } from '../../../../test/fixtures/cli/simulated-service.ts';
import { plainSignal, type ApiClient as TestClient, zipOf } from '../../../../test/support/api-client.ts';
import { DAY_MS, event } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { openClient } from '../open-client.ts';
import { runPosture } from '../posture.ts';
import { RETRY_BOUNDS } from '../retry-policy.ts';
import { explain } from './explain.ts';

const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
/** More than a page has. */
const MANY = 130;

let now = MONDAY;
let gateway: StartedGateway;
let client: TestClient;
let env: Record<string, string>;
const ids: Record<string, string> = {};

const day = (n: number) => MONDAY + n * DAY_MS;
const closing = { fullAssessmentForTypes: ['va'] };
const evil = '\u001b[2J\u202eweak\r\ncipher';

async function send(at: number, entries: Record<string, unknown>): Promise<void> {
  now = at;
  const analyst = await gateway.client('analyst');
  expect((await analyst.zip(await zipOf(entries))).status).toBe(200);
}

async function act(at: number, payload: IntakePayload): Promise<void> {
  const one = event(
    payload,
    at,
    { kind: 'user', user: 'ana' },
    { id: '22222222-2222-5222-8222-222222222222' },
  );
  await gateway.log.append(INTAKE_TOPIC, [{ key: one.envelope.entityKey, value: encodeIntake(one) }]);
}

beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now });
  await openLog(gateway.database.db, gateway.log, () => readingAt(MONDAY));
  const cipher = (value: number, evidence: string) =>
    plainSignal('Weak cipher', 'web01', {
      securityContext: {
        type: 'va',
        status: { complianceStatus: 'fail' },
        severity: { type: 'cvss', value },
        standardsMapping: [{ name: 'cve', value: 'CVE-2021-44228' }],
        evidence: { observationText: evidence },
      },
    });
  await send(day(0), { 'cipher.json': cipher(5, 'RC4'), 'evil.json': plainSignal(evil, 'web01') });
  await send(day(1), { 'again.json': cipher(7.5, 'RC4 and DES') });
  await project();
  client = await gateway.client('viewer');
  for (const { id, name } of await client.all('/api/v3/findings')) ids[name] = id;
  await act(day(2), {
    type: 'FindingAccepted',
    findingId: ids['Weak cipher']!,
    seenVersion: null,
    rationale: 'behind a proxy',
    until: day(9),
  });
  await send(day(10), { 'other.json': plainSignal('Old kernel', 'web01'), 'config.json': closing });
  await send(day(11), { 'third.json': cipher(7.5, 'RC4 and DES') });
  for (let n = 0; n < MANY; n += 1) {
    now = day(12) + n;
    const status = { complianceStatus: n % 2 === 0 ? 'fail' : 'pass' };
    const signal = plainSignal('Flapping', 'db01', {
      securityContext: { type: 'va', status, severity: { value: 2 } },
    });
    if (n === 0) client = await gateway.client('analyst');
    expect((await client.signal(signal)).status).toBe(200);
  }
  await project();
  now = day(13);
  client = await gateway.client('viewer');
  for (const { id, name } of await client.all('/api/v3/findings')) ids[name] = id;
  env = { POSTURE_URL: gateway.url, POSTURE_USERNAME: 'viewer', POSTURE_PASSWORD: 'a-password-for-tests' };
}, 90_000);
afterAll(() => gateway.stop());

async function project(): Promise<void> {
  const projection = new Projection(gateway.database.db);
  for (const [partition, end] of (await gateway.log.ends(INTAKE_TOPIC)).entries()) {
    const next = await projection.open(partition);
    for await (const records of gateway.log.read(INTAKE_TOPIC, partition, next, end)) {
      await projection.project(records);
    }
  }
}

async function run(args: string[], given: Record<string, string> = {}) {
  const terminal = recordingTerminal({ ...env, ...given });
  const exitCode = await runPosture(args, terminal);
  return { exitCode, out: terminal.out(), err: terminal.err() };
}

async function told(...args: string[]): Promise<string> {
  const { exitCode, out, err } = await run(['explain', ...args]);
  expect([exitCode, err]).toEqual([0, '']);
  return out;
}

/** The parts of a story that differ from run to run, by kind. */
const steady = (text: string) =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/request [^\s,]+/g, 'request R')
    .replace(/offset \d+/g, 'offset N')
    .replace(/partition \d+/g, 'partition P');

describe('posture explain', () => {
  it('shows a finding, its state with the reason, and its whole history with causes', async () => {
    const text = await told(ids['Weak cipher']!);
    expect(text.split('\n').every((line) => line.length <= 100)).toBe(true);
    const story = steady(text).replace(/\n {10,}/g, ' ');
    expect(story).toContain('Finding   Weak cipher type va, id ID\nAsset     web01, id ID\n');
    expect(story).toContain(
      'State     Failed since 2026-03-13T08:00:00.000Z: a signal reported it again [change 6]\n',
    );
    expect(story).toContain('Severity  7.5; CVE-2021-44228\nCounts    yes\n');
    const changes = story.split(/\n\n/).slice(1);
    expect(changes.map((change) => change.split('\n')[0])).toEqual([
      '1. 2026-03-02T08:00:00.000Z  Created: Failed',
      '2. 2026-03-03T08:00:00.000Z  Updated: Failed',
      '3. 2026-03-04T08:00:00.000Z  Accepted: Failed → AcceptedFailed',
      '4. 2026-03-12T08:00:00.000Z  State changed: AcceptedFailed → NotAssessed',
      '5. 2026-03-12T08:00:00.000Z  Retired: NotAssessed → Retired',
      '6. 2026-03-13T08:00:00.000Z  Returned: Retired → Failed',
    ]);
    expect(changes[1]).toContain('What      severity: 5 → 7.5');
    expect(changes[1]).toContain('evidence RC4 → RC4 and DES');
    expect(changes[1]).toMatch(
      /Cause {5}ZIP upload, upload ID, entry again\.json, user analyst, request R, event ID\n/,
    );
    expect(changes[2]).toContain(
      'Why       accepted by ana until 2026-03-11T08:00:00.000Z: "behind a proxy"',
    );
    expect(changes[2]).toContain('Cause     action of a user, user ana, event ID');
    expect(changes[3]).toContain('Why       the acceptance by ana until 2026-03-11T08:00:00.000Z ("behind a');
    expect(changes[3]).toContain('Cause     recorded with the next event: ZIP upload');
    expect(changes[4]).toContain(
      'Why       it was replaced: a full assessment of `va` no longer contained it',
    );
    expect(changes[5]).toContain('retired because: replaced → nothing');
  });

  it('names for each change a command that shows its record in the log', async () => {
    const { history } = JSON.parse(await told(ids['Weak cipher']!, '--json')) as {
      history: Schemas['HistoryItemDto'][];
    };
    const text = await told(ids['Weak cipher']!);
    const commands = [...text.matchAll(/posture (log --partition \d+ --offset \d+ --full)/g)];
    expect(commands).toHaveLength(history.length);
    for (const [i, [, command]] of commands.entries()) {
      const { exitCode, out } = await run(command!.split(' '), { DATABASE_URL: gateway.database.url });
      expect([exitCode, JSON.parse(out).id]).toEqual([0, history[i]!.cause.eventId]);
    }
  });

  it('shows the state at an instant', async () => {
    const text = await told(ids['Weak cipher']!, '--as-of', '2026-03-05T00:00:00Z');
    expect(text.replace(/\s+/g, ' ')).toContain(
      'State AcceptedFailed since 2026-03-04T08:00:00.000Z: accepted by ana until',
    );
    expect(text).toContain('\n3. ');
    expect(text).not.toContain('\n4. ');
  });

  it('shows expired findings before they are folded', async () => {
    now = day(400);
    try {
      const text = (await told(ids['Weak cipher']!)).replace(/\s+/g, ' ');
      expect(text).toMatch(/State Retired since 2026-0\d-\d\dT08:00:00.000Z: it expired: no signal/);
      expect(text).toContain('recorded in the log with the next event');
    } finally {
      now = day(13);
    }
  });

  it('reads every page of a long history, also as one JSON document', async () => {
    const text = await told(ids.Flapping!);
    expect(text.match(/^\d+\. /gm)).toEqual(Array.from({ length: MANY }, (_, i) => `${i + 1}. `));
    expect(text).toContain(`[change ${MANY}]`);
    const document = JSON.parse(await told(ids.Flapping!, '--json'));
    expect(document).toMatchObject({
      ok: true,
      finding: { id: ids.Flapping, name: 'Flapping', version: MANY },
      state: { state: 'Qualified', change: MANY },
    });
    expect(document.history).toEqual(await client.all(`/api/v3/findings/${ids.Flapping}/history`));
  });

  it('does not let a sender’s text move the cursor or turn a line around', async () => {
    const { id } = (await client.all('/api/v3/findings?state=Retired')).find(({ name }) =>
      name.includes('weak'),
    );
    const text = await told(id);
    expect(text).toMatch(/^Finding {3}\ufffd\[2J\ufffdweak cipher\n/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it.each([
    [['explain', 'web01'], 2, /'finding'. Expected a UUID/],
    [['explain', '00000000-0000-4000-8000-000000000000'], 2, /no finding has the id 00000000/],
    [
      ['explain', '00000000-0000-4000-8000-000000000000', '--as-of', 'monday'],
      2,
      /Expected an ISO 8601 time/,
    ],
    [['explain'], 2, /missing required argument/],
  ])('%j ends with %i', async (args, code, message) => {
    const { exitCode, out, err } = await run(args);
    expect([exitCode, out]).toEqual([code, '']);
    expect(err).toMatch(message);
  });

  it('says from when on a finding is known if the instant is before it', async () => {
    const { exitCode, err } = await run(['explain', ids.Flapping!, '--as-of', '2026-03-02T00:00:00Z']);
    expect([exitCode, err]).toEqual([2, expect.stringMatching(/no finding had the id/)]);
  });

  it('ends with 1 if the service rejects the credentials', async () => {
    const refused = await run(['explain', ids.Flapping!], { POSTURE_PASSWORD: 'another' });
    expect(refused).toMatchObject({ exitCode: 1, out: '', err: expect.stringMatching(/credentials/) });
    const json = await run(['explain', ids.Flapping!, '--json'], { POSTURE_PASSWORD: 'another' });
    expect([json.exitCode, JSON.parse(json.out)]).toMatchObject([1, { ok: false }]);
  });

  it('ends with 1 if the service is unavailable, once it has tried again', async () => {
    const waits: string[] = [];
    const away = openClient(
      { url: 'http://127.0.0.1:1', access: { username: 'viewer', password: 'x' } },
      {
        onWait: (reason) => waits.push(reason),
        retryBounds: { ...RETRY_BOUNDS, failuresMax: 2, backOff: { firstMs: 1, longestMs: 1 } },
      },
    );
    const { stdout } = recordingTerminal({});
    await expect(explain(away, ids.Flapping!, undefined, false, stdout)).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('unreachable'),
    });
    expect(waits.length).toBeGreaterThan(0);
  });
});
