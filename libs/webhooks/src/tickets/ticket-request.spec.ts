import { expect, it } from '@jest/globals';
import type { Egress } from '#libs/egress';
import { ticketRequest } from './ticket-request.ts';

const NOW = Date.parse('2026-03-02T08:00:00.000Z');
const HOUR_MS = 3_600_000;
const date = 'Mon, 02 Mar 2026 08:00:00 GMT';

/** The wait after an answer, by a clock that is an hour ahead of the other system's. */
async function waitAfter(status: number, headers: Record<string, string>): Promise<unknown> {
  const request = async () => ({ status, headers, body: Buffer.alloc(0) });
  const connection = {
    ...{ egress: { request } as unknown as Egress, url: 'https://tickets.example/', secret: '' },
    ...{ clock: () => NOW + HOUR_MS, timeoutMs: 1_000, signal: undefined },
  };
  return ticketRequest(connection, { method: 'GET', url: connection.url }).catch(({ details }) => details);
}

it.each([
  ['GitHub', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${NOW / 1000 + 600}` }],
  ['Jira', 429, { 'x-ratelimit-reset': '2026-03-02T08:10:00Z' }],
  ['both, by Retry-After', 429, { 'retry-after': 'Mon, 02 Mar 2026 08:10:00 GMT' }],
])('the reset of a limit is by the clock of the other system: %s', async (_, status, headers) => {
  expect(await waitAfter(status, { date, ...headers })).toMatchObject({ retryAfterMs: 600_000 });
});
