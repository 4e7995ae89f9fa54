import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { KeysUnavailableError, SubjectKeys } from '#libs/subject-keys';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

/** No key of a personal text can be read once the log has an upload, neither from memory nor from the database. */
const losingKeys = (log: EventLog): EventLog =>
  new Proxy(log, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (name !== 'append') return typeof value === 'function' ? value.bind(target) : value;
      return async (...given: Parameters<EventLog['append']>) => {
        const positions = await target.append(...given);
        if (given[0] === INTAKE_TOPIC) loseKeys();
        return positions;
      };
    },
  });

function loseKeys(): void {
  for (const read of ['obtain', 'find', 'read'] as const) {
    jest.spyOn(SubjectKeys.prototype, read).mockRejectedValue(new KeysUnavailableError('away'));
  }
}

let gateway: StartedGateway;
let client: ApiClient;
beforeAll(async () => {
  gateway = await StartedGateway.start({
    wrapLog: losingKeys,
    env: { SEAL_PERSONAL_TEXTS: 'true', POSTURE_SECRET_KEY: 'k'.repeat(32) },
  });
  client = await gateway.client('analyst');
});
afterAll(async () => {
  jest.restoreAllMocks();
  await gateway.stop();
});

const signal = plainSignal('leaked password', '', { entity: { type: 'user', name: 'ana' } });
const sent: [string, (headers: Record<string, string>) => ReturnType<ApiClient['zip']>][] = [
  ['ZIP', async (headers) => client.zip(await zipOf({ '1.json': signal }), headers)],
  ['signal', (headers) => client.signal(signal, headers)],
];

it.each(sent)(
  'a %s that the log has is answered, also if no key can be read after it (R-KEY-6)',
  async (kind, send) => {
    const accepted = { status: 200, body: { accepted: 1 } };
    jest.restoreAllMocks();
    expect(await send({})).toMatchObject(accepted);
    jest.restoreAllMocks();
    const first = await send({ 'idempotency-key': kind });
    expect(first).toMatchObject(accepted);
    jest.restoreAllMocks();
    expect((await send({ 'idempotency-key': kind })).body).toEqual(first.body);
  },
);

it('receipts of these uploads have the sealed name of the sender', async () => {
  const rows = await gateway.database.db.selectFrom('upload_receipts').select('by_user').execute();
  expect(rows).toHaveLength(4);
  for (const { by_user } of rows) expect(by_user).toMatch(/^\ufdd0/);
});
