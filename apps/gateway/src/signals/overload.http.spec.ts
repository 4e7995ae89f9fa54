import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { INTAKE_TOPIC } from '#libs/intake';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

let gateway: StartedGateway;
let client: ApiClient;
const signal = plainSignal('A finding', 'host');

beforeAll(async () => {
  gateway = await StartedGateway.start({ settings: { maxLagSeconds: 1 } });
  client = await gateway.client('analyst');
});
afterAll(() => gateway.stop());

const upload = async () => (await client.signal(signal)).status;

it('while the fold lags by more than maxLagSeconds both upload routes return 429 with the seconds (R-LIM-3)', async () => {
  // Nothing folds here.
  await until('the lag', async () => (await upload()) === 429);
  const size = await gateway.logSize();
  for (const answer of [await client.signal(signal), await client.zip(await zipOf({ '1.json': signal }))]) {
    expect(answer.status).toBe(429);
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(answer.body).toMatchObject({ statusCode: 429, message: `${seconds}`, retryIn: seconds });
  }
  expect(await gateway.logSize()).toBe(size);
});

it('takes uploads again once the fold has caught up', async () => {
  const ends = [0, 1, 2, 3].map((partition) => ({ partition, next_offset: 1_000 }));
  await gateway.database.db.insertInto('projection_positions').values(ends).execute();
  await until('the fold to be seen', async () => (await upload()) === 200);
});

it('a gateway that starts with an old backlog takes nothing onto it (R-LIM-3)', async () => {
  const stopped = await StartedGateway.start();
  const before = await stopped.client('analyst');
  expect((await before.signal(signal)).status).toBe(200);
  const ends = (await stopped.log.ends(INTAKE_TOPIC)).map((_, partition) => ({ partition, next_offset: 0 }));
  await stopped.database.db.insertInto('projection_positions').values(ends).execute();
  const TEN_MINUTES_MS = 600_000;
  const started = await StartedGateway.start({
    beside: stopped,
    clock: () => Date.now() + TEN_MINUTES_MS,
  });
  try {
    const after = await started.client('analyst');
    expect((await after.signal(signal)).status).toBe(429);
    expect(await stopped.logSize()).toBe(1);
  } finally {
    await started.stop();
    await stopped.stop();
  }
});
