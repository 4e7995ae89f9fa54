import { msUntil, retryAfterMs } from '#libs/back-off';
import type { Egress, OutgoingRequest } from '#libs/egress';
import { jsonOrNull } from '#libs/readers';
import { TicketError } from './ticket-system.ts';

/** The connection to the system of a webhook. */
export interface TicketConnection {
  egress: Egress;
  /** Of the webhook. */
  url: string;
  secret: string;
  clock: () => number;
  /** For one request. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

export interface TicketRequest {
  method: OutgoingRequest['method'];
  url: string;
  headers?: Record<string, string>;
  body?: object;
  /** Statuses that are an answer besides 2xx. */
  accepts?: readonly number[];
}

export interface TicketAnswer {
  status: number;
  /** Parsed JSON, as nobody has checked it; null if it is none. */
  body: unknown;
  /** Of a redirect, as nobody has checked it. */
  location: string | null;
}

/** Answers contain lists of tickets with their texts. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** The content or the state of one ticket is wrong: bad request, conflict, too large, not processable. */
const OF_TICKET = [400, 409, 413, 422];
const [SUCCESS, REDIRECT, UNAUTHORIZED, FORBIDDEN, NOT_FOUND, TOO_MANY] = [200, 300, 401, 403, 404, 429];

/** One request. @throws TicketError for other statuses, EgressError if there is no answer */
export async function ticketRequest(
  { egress, clock, timeoutMs, signal }: TicketConnection,
  { method, url, headers = {}, body, accepts = [] }: TicketRequest,
): Promise<TicketAnswer> {
  const { host } = new URL(url);
  const answer = await egress.request({
    method,
    url,
    headers: {
      accept: 'application/json',
      'user-agent': 'risk-posture-service',
      ...(body && { 'content-type': 'application/json; charset=utf-8' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    timeoutMs,
    bytesMax: ANSWER_BYTES_MAX,
    ...(signal && { signal }),
  });
  const { status } = answer;
  const isSuccess = status >= SUCCESS && status < REDIRECT;
  if (isSuccess || accepts.includes(status)) {
    const { location = null } = answer.headers;
    return { status, body: jsonOrNull(answer.body.toString()), location };
  }
  const waitMs = waitOf(status, answer.headers, clock());
  throw new TicketError(meaningOf(host, status, waitMs), {
    ...{ status, retryAfterMs: waitMs, isOfFinding: waitMs === null && OF_TICKET.includes(status) },
  });
}

/** `Retry-After`, or the instant at which the limit of requests starts again. */
function waitOf(status: number, headers: Record<string, string>, now: number): number | null {
  const asked = retryAfterMs(headers, now);
  if (asked !== null) return asked;
  const isLimited = status === TOO_MANY || (status === FORBIDDEN && headers['x-ratelimit-remaining'] === '0');
  const reset = resetOf(headers['x-ratelimit-reset']);
  return isLimited && reset > 0 ? msUntil(reset, headers, now) : null;
}

/** Epoch ms: GitHub sends epoch seconds, Jira an ISO 8601 time. NaN: none. */
const resetOf = (reset: string | undefined): number =>
  reset !== undefined && /^\d+$/.test(reset) ? Number(reset) * 1000 : Date.parse(reset ?? '');

function meaningOf(host: string, status: number, waitMs: number | null): string {
  if (waitMs !== null || status === TOO_MANY) return `${host} limits the rate of requests (status ${status})`;
  if (status === UNAUTHORIZED) return `${host} does not accept the secret (status ${status})`;
  if (status === FORBIDDEN) return `the secret does not permit the request to ${host} (status ${status})`;
  if (status === NOT_FOUND) {
    return `${host} does not have the address, or the secret does not permit it (status ${status})`;
  }
  return `${host} did not accept the request (status ${status})`;
}
