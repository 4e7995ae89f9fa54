import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Access } from '../../apps/gateway/src/auth/access.ts';
import { AccessWatch } from '../../apps/gateway/src/auth/access-watch.ts';
import type { Role } from '../../apps/gateway/src/auth/scopes.ts';
import { plainSignal } from '../support/api-client.ts';
import { slowBody } from '../support/slow-body.ts';
import { StartedGateway } from '../support/started-gateway.ts';
import { until } from '../support/until.ts';

let gateway: StartedGateway;
/** Another process on the same database. */
let stopping: StartedGateway;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  stopping = await StartedGateway.start({ beside: gateway });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const isClosed = (url: string) =>
  fetch(`${url}/health/live`).then(
    () => false,
    () => true,
  );

/** A request that has begun when its gateway stops, and whose body ends after that. */
async function beginAndStop(role: Role, path: string, text: string) {
  const begun = jest.spyOn(AccessWatch.prototype, 'begin');
  const { authorization } = await stopping.client(role);
  const { body, end } = slowBody(text);
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = fetch(`${stopping.url}${path}`, {
    ...{ method: 'POST', headers, body, duplex: 'half' },
  } as RequestInit);
  await until('the request', () => begun.mock.calls.length > 0);
  const { signal } = begun.mock.results[0]!.value as Access;
  const stopped = stopping.stop();
  await until('the end of new connections', () => isClosed(stopping.url));
  return { answer, end, stopped, signal };
}

describe('a gateway that stops', () => {
  it.each([
    ['origins of acts', '/api/v3/custom-fields', '{"name":"x","type":"Text"}', 202, 'act_origins'],
    ['refused uploads', '/api/v3/signals', '{"malformed', 400, 'refused_uploads'],
    ['JSON signals', '/api/v3/signals', JSON.stringify(plainSignal('late', 'host')), 200, 'json_signals'],
  ])('stores the %s of requests that it still completes', async (_, path, text, status, table) => {
    const { answer, end, stopped } = await beginAndStop('admin', path, text);
    end();
    const { status: answered, headers } = await answer;
    expect([answered, headers.get('connection')]).toEqual([status, 'close']);
    await stopped;
    const { rows } = await gateway.database.pool.query(`select from ${table}`);
    expect(rows.length).toBe(1);
  });

  it('ends requests in progress of a credential that is deleted elsewhere', async () => {
    const { answer, end, stopped, signal } = await beginAndStop('analyst', '/api/v3/signals', '{"malformed');
    await gateway.database.pool.query("delete from credentials where username = 'analyst'");
    await until('the end of its access', () => signal.aborted);
    end();
    expect((await answer).status).toBe(401);
    await stopped;
  });
});
