import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { type IntakePayload, type IntegrationSaved, ORGANIZATION_KEY } from '#libs/domain';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { Projection } from '#libs/projection';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { event, T0 } from '../../../test/support/scenario.ts';
import { sweepSecrets } from './sweep-secrets.ts';

const [KEPT, NEVER, NEW] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

let database: TestDatabase;
let log: PostgresEventLog;
beforeAll(async () => {
  database = await testDatabase();
  log = new PostgresEventLog({ url: database.url, partitions: 1 });
});
afterAll(async () => {
  await log.close();
  await database.drop();
});

const saved = (id: string): IntegrationSaved => ({
  type: 'IntegrationSaved',
  id,
  seenVersion: null,
  integrationType: 'edrplugin',
  subType: 'falcon',
  name: id,
  source: id,
  config: {},
  secrets: ['clientSecret'],
  createdAt: T0,
});

async function append(payload: IntakePayload): Promise<void> {
  const value = encodeIntake(event(payload, T0, { kind: 'user' }, { entityKey: ORGANIZATION_KEY }));
  await log.append(INTAKE_TOPIC, [{ key: ORGANIZATION_KEY, value }]);
}

async function fold(): Promise<void> {
  const projection = new Projection(database.db);
  const [end] = await log.ends(INTAKE_TOPIC);
  for (let next = await projection.open(0); next < end!; ) {
    for await (const records of log.read(INTAKE_TOPIC, 0, next, end!))
      next = await projection.project(records);
  }
}

const putHoursAgo = (id: string, hours: number) =>
  database.pool.query(
    `insert into integration_secrets values ($1, 'clientSecret', 'v1', 1, now() - make_interval(hours => $2))`,
    [id, hours],
  );

async function left(): Promise<string[]> {
  const { rows } = await database.pool.query('select integration_id from integration_secrets order by 1');
  return rows.map(({ integration_id }) => integration_id);
}

it('removes secrets of no integration once they are old', async () => {
  await append(saved(KEPT!));
  await fold();
  for (const id of [KEPT!, NEVER!]) await putHoursAgo(id, 2);
  await putHoursAgo(NEW!, 0);
  expect(await sweepSecrets(database.db)).toBe(1);
  expect(await left()).toEqual([KEPT, NEW]);
});
