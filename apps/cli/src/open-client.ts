import { ApiError, createClient, type PostureClient, type RetryPolicy } from '#client';
import { CliError, failure } from './cli-error.ts';
import type { Connection } from './connection.ts';
import { afterFailure, noAttempts, RETRY_BOUNDS, type RetryBounds } from './retry-policy.ts';

interface ClientOptions {
  /** Called before each wait, with a text for the user. */
  onWait?: (reason: string) => void;
  retryBounds?: RetryBounds;
  /** One attempt, until its response is read; ms. */
  attemptMsMax?: number;
}

const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/**
 * A client of the service. It repeats what failed for a passing reason, as retry-policy.ts says.
 * Its methods throw `ApiError` if the service rejects a request, and `CliError` (exit 1) if the service is
 * unreachable or the credentials are wrong.
 */
export function openClient(
  connection: Connection,
  { onWait = () => {}, retryBounds = RETRY_BOUNDS, attemptMsMax = 120_000 }: ClientOptions = {},
): PostureClient {
  const { url, access } = connection;
  return createClient({
    url,
    ...access,
    fetch: sendOf(connection, attemptMsMax),
    retry: retryOf(url, retryBounds, onWait),
  });
}

const retryOf =
  (url: string, bounds: RetryBounds, onWait: (reason: string) => void): RetryPolicy =>
  () => {
    let attempts = noAttempts;
    return ({ error, isRepeatable }) => {
      if (error instanceof CliError) return null;
      const { status = null, retryAfter = null } = error instanceof ApiError ? error : {};
      const failuresMax = isRepeatable ? bounds.failuresMax : 1;
      const next = afterFailure({ status, retryAfter }, attempts, Math.random(), { ...bounds, failuresMax });
      const problem = error instanceof ApiError ? answerProblem(error) : connectionProblem(error);
      if (next === null) throw failure(problem, [`service: ${url}`]);
      attempts = next.attempts;
      onWait(`${problem}; retry in ${(next.ms / 1000).toFixed(1)} s`);
      return next.ms;
    };
  };

/**
 * Sends a request once and reads the whole response, so that a connection cut in the middle is a failed attempt. A second
 * 401 in a row ends the command, which sends one request at a time.
 */
function sendOf(connection: Connection, attemptMsMax: number): (request: Request) => Promise<Response> {
  const signIn = `${connection.url}/api/v3/auth`;
  let tokensRejected = 0;
  return async (request) => {
    const signal = AbortSignal.timeout(attemptMsMax);
    const response = await fetch(request, { redirect: 'manual', signal });
    const body = await readBounded(response);
    if (response.ok && !isPage(request, response)) checkObject(body, response.status);
    if (request.url === signIn) checkSignIn(response, body, connection);
    else tokensRejected = response.status === 401 ? tokensRejected + 1 : 0;
    if (tokensRejected > 1) {
      throw failure('the service rejected a new access token', [`service: ${connection.url}`]);
    }
    return answerOf(response, body);
  };
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A page is an answer only to a request for one. */
const isPage = (request: Request, response: Response): boolean =>
  request.headers.get('accept') === 'text/html' &&
  (response.headers.get('content-type') ?? '').startsWith('text/html');

const CHECK_ADDRESS = 'check that the address is that of the Risk Posture Service';

function checkObject(body: Buffer, status: number): void {
  if (parseObject(body) === null) throw failure(`unexpected answer ${status}: ${CHECK_ADDRESS}`);
}

function checkSignIn({ status, ok }: Response, body: Buffer, { credentialsFile }: Connection): void {
  if (status === 401) {
    throw failure('the service rejected the credentials', [
      credentialsFile === undefined
        ? 'check POSTURE_USERNAME and POSTURE_PASSWORD'
        : `they are the credentials of the first start, from ${credentialsFile}: set POSTURE_USERNAME and POSTURE_PASSWORD`,
    ]);
  }
  if (ok && typeof parseObject(body)?.accessToken !== 'string') {
    throw failure(`the sign-in answer contains no access token: ${CHECK_ADDRESS}`);
  }
}

function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** Statuses whose response has no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** The response with its body in memory. Users do not read the error page of a proxy. */
function answerOf({ ok, status, headers }: Response, body: Buffer): Response {
  if (WITHOUT_BODY.has(status)) return new Response(null, { status, headers });
  const isOfService = ok || typeof parseObject(body)?.message === 'string';
  const message = status < 500 ? `unexpected answer ${status}` : '';
  const kept = new Headers(headers);
  kept.delete('content-length');
  return new Response(isOfService ? body.toString() : JSON.stringify({ message }), { status, headers: kept });
}

function answerProblem({ status, message }: ApiError): string {
  return status === 429
    ? 'the service is busy (429)'
    : `the service answered ${status}${message && `: ${message}`}`;
}

/** Names the cause (`ECONNREFUSED`), which fetch keeps one level down. */
function connectionProblem(error: unknown): string {
  const { name, cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'the service did not answer in time';
  return `the service is unreachable (${cause?.code ?? cause?.message ?? message})`;
}
