import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await StartedGateway.start({ databaseUrl: 'postgres://nobody@127.0.0.1:1/nowhere' });
});
afterAll(() => gateway.stop());

it('a sign-in while the database is unavailable is a 503 with seconds, without details (R-AUTH-10)', async () => {
  const response = await fetch(`${gateway.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(gateway.credentialsOf('admin')).toString('base64')}` },
  });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await response.json()).toEqual({
    statusCode: 503,
    error: 'Service Unavailable',
    message: 'the database is unavailable or overloaded: retry later',
    retryIn: 5,
  });
});
