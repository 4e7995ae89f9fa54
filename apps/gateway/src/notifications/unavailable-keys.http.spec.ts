import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

const ENV = { SEAL_PERSONAL_TEXTS: 'true', POSTURE_SECRET_KEY: 'k'.repeat(32) };

let gateway: StartedGateway;
let analyst: ApiClient;
let viewer: ApiClient;
beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, env: ENV });
  [analyst, viewer] = await Promise.all([gateway.client('analyst'), gateway.client('viewer')]);
});
afterAll(() => gateway.stop());

const query = async (statement: string) => (await gateway.database.pool.query(statement)).rows;
const isRead = async () => {
  const [{ is_behind }] = await query(
    `select exists (select from acts a left join notification_positions n using (partition)
      where a.log_offset > coalesce(n.log_offset, -1)) as is_behind`,
  );
  return !is_behind;
};

it('a person is notified of an act whose texts could not be decrypted at first', async () => {
  const sent = await analyst.signal(plainSignal('weak', 'web01'));
  await analyst.folded(sent.body.uploadId);
  const { items } = await analyst.get('/api/v3/findings');
  // The gateway seals with keys that it has found by name, and has read none by its id.
  await viewer.get('/api/v3/me');
  await query('alter table subject_keys rename to away');
  try {
    const comment = JSON.stringify({ text: 'please look, @viewer' });
    const json = { 'content-type': 'application/json' };
    const path = `/api/v3/findings/${items[0].id}/comments`;
    expect((await analyst.request('POST', path, comment, json)).status).toBe(200);
    await until(
      'the act has been looked at',
      async () => gateway.lines.join().includes('writing notifications failed') || isRead(),
    );
  } finally {
    await query('alter table away rename to subject_keys');
  }
  await until('the act has been read', isRead);
  expect((await viewer.get('/api/v3/notifications')).items).toMatchObject([
    { kind: 'mentioned', by: 'analyst' },
  ]);
});
