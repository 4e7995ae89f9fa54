import { setTimeout as delay } from 'node:timers/promises';
import type { UploadCounts } from '#libs/domain';
import { failure } from './cli-error.ts';
import type { Connection } from './connection.ts';
import {
  type Attempts,
  afterFailure,
  noAttempts,
  RETRY_BOUNDS,
  type RequestFailure,
  type RetryBounds,
  secondsAsked,
} from './retry-policy.ts';

/** What is wrong with one entry of a ZIP, or notable in it. */
export interface EntryRemark {
  entry: string | null;
  field: string;
  message: string;
}

/** Answer of `POST /api/v3/signals/zip` (api.md). */
export interface ZipReceipt {
  uploadId: string;
  accepted: number;
  ignored: number;
  rejected: number;
  errors: EntryRemark[];
  warnings: EntryRemark[];
}

/** What would become of a finding, or of a signal that would change none. */
export interface Foreseen {
  asset: string;
  /** Null where the signal describes an asset alone. */
  name: string | null;
  type: string | null;
  would: string;
  from: string | null;
  to: string | null;
  reason: string | null;
}

/** Answer of `POST /api/v3/signals/zip?dryRun=true` (api.md). */
export interface ZipPreview extends Omit<ZipReceipt, 'uploadId'> {
  outcome: UploadCounts;
  merged: { name: string; assetId: string }[];
  unrecognisedTags: string[];
  /** The first ones; `findingsLeftOut` counts the others. */
  findings: Foreseen[];
  findingsLeftOut: number;
}

/** `GET /api/v3/uploads/:id` (api.md). */
export interface UploadStatus {
  id: string;
  accepted: number;
  folded: number;
  done: boolean;
  outcome: UploadCounts;
  merged: { name: string; assetId: string }[];
  unrecognisedTags: string[];
  warnings: EntryRemark[];
}

/** The service understood the request and refused it: an answer below 500 that is neither a 200, a 401 nor a 429. */
export class RefusedError extends Error {
  override name = 'RefusedError';

  constructor(
    readonly status: number,
    message: string,
    readonly errors: EntryRemark[],
  ) {
    super(message);
  }
}

export interface ApiClientOptions {
  /** Told before each wait, in words for the user. */
  onWait?: (reason: string) => void;
  retryBounds?: RetryBounds;
  /** One attempt, until its answer is read; ms. */
  attemptMsMax?: number;
}

interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body?: FormData | string;
}

type Answer =
  | { answered: true; body: unknown }
  | { answered: false; failure: RequestFailure; problem: string };

const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/**
 * A client of the service: signs in when it must, sends one request at a time as its caller awaits it, and repeats
 * what failed for a passing reason (see retry-policy.ts). Every method throws `RefusedError` where the service refuses
 * and `CliError` (exit 1) where it is out of reach or the credentials are wrong.
 */
export class ApiClient {
  private token: string | null = null;
  private readonly onWait: (reason: string) => void;
  private readonly retryBounds: RetryBounds;
  private readonly attemptMsMax: number;

  constructor(
    private readonly connection: Connection,
    options: ApiClientOptions = {},
  ) {
    this.onWait = options.onWait ?? (() => {});
    this.retryBounds = options.retryBounds ?? RETRY_BOUNDS;
    this.attemptMsMax = options.attemptMsMax ?? 120_000;
  }

  /**
   * Uploads one ZIP. Every attempt carries the same `Idempotency-Key`, so that a repeat counts once (D17).
   * @param skipInvalid leaves bad entries out instead of refusing the ZIP (D16)
   */
  async uploadZip(zip: Buffer, idempotencyKey: string, skipInvalid: boolean): Promise<ZipReceipt> {
    const receipt = await this.authorized({
      method: 'POST',
      path: `/api/v3/signals/zip${skipInvalid ? '?invalid=skip' : ''}`,
      headers: { accept: 'application/json', 'idempotency-key': idempotencyKey },
      body: formOf(zip),
    });
    return receipt as ZipReceipt;
  }

  /** What uploading a ZIP would come to; nothing is stored (D16). */
  async previewZip(zip: Buffer, skipInvalid: boolean): Promise<ZipPreview> {
    const preview = await this.authorized({
      method: 'POST',
      path: `/api/v3/signals/zip?dryRun=true${skipInvalid ? '&invalid=skip' : ''}`,
      headers: { accept: 'application/json' },
      body: formOf(zip),
    });
    return preview as ZipPreview;
  }

  async uploadStatus(uploadId: string): Promise<UploadStatus> {
    const path = `/api/v3/uploads/${encodeURIComponent(uploadId)}`;
    return (await this.authorized({ method: 'GET', path, headers: {} })) as UploadStatus;
  }

  /** The JSON object that a GET answers; a 4xx but 401 and 429 is a `RefusedError`. */
  async read(path: string): Promise<unknown> {
    return this.authorized({ method: 'GET', path, headers: {} });
  }

  /**
   * Does what cannot be told from its repeat. So a 429 is waited for, but after a 5xx or a cut connection it is not
   * asked again: it may have been done.
   */
  async act(method: 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const call: Call =
      body === undefined
        ? { method, path, headers: {} }
        : { method, path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    return this.authorized(call, { ...this.retryBounds, failuresMax: 1 });
  }

  private async authorized(call: Call, bounds = this.retryBounds): Promise<unknown> {
    let attempts = noAttempts;
    for (;;) {
      this.token ??= await this.signIn();
      const headers = { ...call.headers, authorization: `Bearer ${this.token}` };
      const answer = await this.attempt({ ...call, headers });
      if (answer.answered) return answer.body;
      if (answer.failure.kind === 'unauthorized') this.token = null;
      attempts = await this.beforeNext(answer, attempts, bounds);
    }
  }

  /** POST /api/v3/auth (spec §Authentication). */
  private async signIn(): Promise<string> {
    const { username, password, credentialsFile } = this.connection;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const headers = { authorization, 'content-type': 'text/plain' };
    let attempts: Attempts = noAttempts;
    for (;;) {
      const answer = await this.attempt({ method: 'POST', path: '/api/v3/auth', headers });
      if (answer.answered) return accessTokenOf(answer.body);
      if (answer.failure.kind === 'unauthorized') {
        throw failure('the service does not accept the credentials', [
          credentialsFile === undefined
            ? 'check POSTURE_USERNAME and POSTURE_PASSWORD'
            : `they are those of the first start, from ${credentialsFile}: set POSTURE_USERNAME and POSTURE_PASSWORD`,
        ]);
      }
      attempts = await this.beforeNext(answer, attempts);
    }
  }

  /** Waits as the policy says. @throws CliError when it says to give up */
  private async beforeNext(
    { failure: failed, problem }: Extract<Answer, { answered: false }>,
    attempts: Attempts,
    bounds = this.retryBounds,
  ): Promise<Attempts> {
    const next = afterFailure(failed, attempts, Math.random(), bounds);
    if (next.step === 'giveUp') throw failure(problem, [`service: ${this.connection.url}`]);
    if (next.step === 'wait') {
      this.onWait(`${problem}; next try in ${(next.ms / 1000).toFixed(1)} s`);
      await delay(next.ms);
    }
    return next.attempts;
  }

  private async attempt({ method, path, headers, body }: Call): Promise<Answer> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${this.connection.url}${path}`, {
        method,
        headers,
        body: body ?? null,
        redirect: 'manual',
        signal: AbortSignal.timeout(this.attemptMsMax),
      });
      text = await readBounded(response, ANSWER_BYTES_MAX);
    } catch (error) {
      return { answered: false, failure: { kind: 'connection' }, problem: connectionProblem(error) };
    }
    return readAnswer(response, text);
  }
}

function formOf(zip: Buffer): FormData {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(zip)], { type: 'application/zip' }), 'signals.zip');
  return form;
}

function accessTokenOf(body: unknown): string {
  const token = (body as { accessToken?: unknown }).accessToken;
  if (typeof token === 'string') return token;
  throw failure('the sign-in was answered without an access token: is this the Risk Posture Service?');
}

async function readBounded(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws RefusedError */
function readAnswer(response: Response, text: string): Answer {
  const { status } = response;
  const body = parseObject(text);
  if (status === 200 && body) return { answered: true, body };
  const message = typeof body?.message === 'string' ? body.message : '';
  const retryAfter = response.headers.get('retry-after');
  if (status === 401) {
    return {
      answered: false,
      failure: { kind: 'unauthorized' },
      problem: 'the service refuses a token that it has just given',
    };
  }
  if (status === 429) {
    const waitSeconds = secondsAsked(message, retryAfter);
    return {
      answered: false,
      failure: { kind: 'rateLimited', waitSeconds },
      problem: 'the service is busy (429)',
    };
  }
  if (status >= 500) {
    const waitSeconds = retryAfter === null ? 0 : secondsAsked(retryAfter, null);
    const problem = `the service answered ${status}${message && `: ${message}`}`;
    return { answered: false, failure: { kind: 'serverError', waitSeconds }, problem };
  }
  throw new RefusedError(status, message || `unexpected answer ${status}`, remarksOf(body?.errors));
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const remarksOf = (errors: unknown): EntryRemark[] => (Array.isArray(errors) ? errors : []);

/** Names the cause (`ECONNREFUSED`), which fetch keeps one level down. */
function connectionProblem(error: unknown): string {
  const { name, cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'the service did not answer in time';
  return `the service is out of reach (${cause?.code ?? cause?.message ?? message})`;
}
