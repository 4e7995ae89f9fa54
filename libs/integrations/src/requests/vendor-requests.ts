import { setTimeout as sleep } from 'node:timers/promises';
import { answeredAt, backOffMs } from '#libs/back-off';
import { parseJson } from '#libs/contracts';
import { type Egress, EgressError, type OutgoingAnswer, type OutgoingRequest } from '#libs/egress';
import { cut, isObject, type Json, listOf, objectOf } from '../json-values.ts';
import { limitWaitMs } from './limit-wait.ts';
import { redirectedTo } from './redirect.ts';
import { messageOf } from './reported-errors.ts';
import { VendorError, type VendorFailure } from './vendor-error.ts';

/** How long and how often a client tries; injected, so that tests need no time. */
export interface RetryTiming {
  /** Epoch milliseconds. */
  clock(): number;
  /** From 0 up to 1. */
  random(): number;
  /** @throws AbortError if the signal is aborted */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** How much one request is worth. */
export interface Effort {
  /** The first one included. */
  attemptsMax: number;
  /** A longer wait that the vendor asks for is not sat out. */
  waitMsMax: number;
  /** Until an answer begins. Omitted: 30 s, for the whole answer. */
  answerMsMax?: number;
  /** Attempts without an answer in time, of which fewer records may come in time. Omitted: `attemptsMax`. */
  slowAttemptsMax?: number;
}

/** Of a pull, which no user waits for: the waits add up to between two and a half and five minutes. */
const PULL_EFFORT: Effort = { attemptsMax: 16, waitMsMax: 120_000, answerMsMax: 120_000 };
/** Of a page, which can be smaller. */
export const PAGE_EFFORT: Effort = { ...PULL_EFFORT, slowAttemptsMax: 3 };
/** Of Test Connection: a user waits for the result. */
export const CHECK_EFFORT: Effort = { attemptsMax: 2, waitMsMax: 5_000 };
/** Of optional requests. */
export const SINGLE_EFFORT: Effort = { attemptsMax: 1, waitMsMax: 0 };

export const RETRY_TIMING: RetryTiming = {
  clock: Date.now,
  random: Math.random,
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};

export interface VendorRequest extends OutgoingRequest {
  /** For messages: `hosts page 3`. */
  what: string;
  /** Form of a successful response. Omitted: a JSON object. */
  form?: 'object' | 'list';
  /** Whether a success says all that it must; if it does not, it is garbage and asked for again. */
  isWhole?: (body: Json) => boolean;
  /**
   * The failures that a successful response reports; null: none. It is requested again; after the last attempt, the
   * response has a `flaw`.
   */
  errorIn?: (body: Json) => string | null;
}

export interface VendorAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** By the platform's clock, in epoch milliseconds; by ours if it does not say. */
  answeredAt: number;
  /** A JSON object; empty if the status is no success and the body none, and for a list. */
  body: Json;
  /** The elements of a list that was asked for. */
  list: unknown[];
  /** The failures of a successful response after the last attempt: its body is incomplete. */
  flaw: string | null;
}

interface Attempt {
  /** If `failure` is one as well, the last attempt ends with it. */
  answer: VendorAnswer | null;
  failure: VendorError | null;
  /** null: another attempt would end the same way. */
  retryInMs: number | null;
  /** Is waited in addition, so that clients with the same wait do not retry together. */
  jitterMs: number;
}

/** Failures of outbound traffic that another attempt may not meet. */
const PASSING = new Set(['address', 'network', 'proxy', 'timeout']);
const BACK_OFF = { firstMs: 500, longestMs: 30_000 };
/** For a 429 without a time. Limits apply to a minute. */
const LIMIT_BACK_OFF = { firstMs: 2_000, longestMs: 60_000 };
/** Below this part of the limit, requests slow down. */
const LOW_PART = 0.05;
const SLOW_DOWN_MS = 1_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** Waiting for minutes helps with an outage, but not with failures inside a successful response. */
const FLAWED_ATTEMPTS_MAX = 6;
const MESSAGE_CHARS_MAX = 200;

/**
 * Requests to a vendor that are tried again: after 429 and 503 as long as the vendor says, for minutes if it does not,
 * after other 5xx, cut, slow and garbage answers, and successes that report errors, with backoff. Slows down before the rate limit is
 * used up. A status that is no failure of the vendor's (2xx, 4xx) is an answer.
 */
export class VendorRequests {
  private slowDown = false;
  private readonly hidden = new Set<string>();

  /**
   * @param secrets to `hide`
   * @param bytesMax of an answer
   */
  constructor(
    private readonly egress: Egress,
    secrets: readonly string[],
    private readonly retryTiming: RetryTiming,
    private readonly bytesMax = ANSWER_BYTES_MAX,
  ) {
    for (const secret of secrets) this.hide(secret);
  }

  /** It is never shown, also if the vendor's own message has it, as it is or as a form has it. */
  hide(secret: string): void {
    if (secret === '') return;
    this.hidden.add(secret).add(new URLSearchParams({ secret }).toString().slice('secret='.length));
  }

  /**
   * @throws VendorError after the last attempt
   * @throws EgressError of kind `aborted`
   */
  async send(request: VendorRequest, effort = PULL_EFFORT): Promise<VendorAnswer> {
    const { attemptsMax, slowAttemptsMax = attemptsMax } = effort;
    for (let attempt = 1, slow = 0, flawed = 0; ; attempt++) {
      await this.keepToLimit(request.signal);
      const { answer, failure, retryInMs, jitterMs } = await this.attempt(request, attempt, effort);
      if (failure === null) return answer!;
      if (answer !== null) flawed++;
      if (answer !== null && (attempt >= attemptsMax || flawed >= FLAWED_ATTEMPTS_MAX)) {
        return { ...answer, flaw: exhausted(failure, attempt).reason };
      }
      if (retryInMs === null) throw failure;
      if (failure.failure === 'timeout') slow++;
      if (attempt >= attemptsMax || slow >= slowAttemptsMax) throw exhausted(failure, attempt);
      if (retryInMs > effort.waitMsMax) throw putOff(failure, retryInMs);
      await this.pause(retryInMs + jitterMs, request.signal);
    }
  }

  /** A refusal in the vendor's own words, so far as they may be shown. */
  refusal(
    what: string,
    failure: VendorFailure,
    meaning: string,
    { status, body }: Pick<VendorAnswer, 'status' | 'body'>,
  ): VendorError {
    const said = messageOf(body);
    const words = said === '' ? '' : `: ${this.shown(said)}`;
    return new VendorError(what, failure, `${meaning} (status ${status}${words})`);
  }

  private async attempt(request: VendorRequest, attempt: number, { answerMsMax }: Effort): Promise<Attempt> {
    const timeout = answerMsMax && ({ timeoutMs: answerMsMax, timeoutUntil: 'beginning' } as const);
    const backoff = Math.floor(backOffMs(attempt, BACK_OFF, this.retryTiming.random()));
    try {
      const answer = await this.egress.request({ bytesMax: this.bytesMax, ...timeout, ...request });
      return this.judge(request, answer, attempt, backoff);
    } catch (error) {
      if (!(error instanceof EgressError) || error.failure === 'aborted') throw error;
      const kind = error.failure === 'tooLarge' || error.failure === 'timeout' ? error.failure : 'network';
      const failure = new VendorError(request.what, kind, this.withoutSecrets(error.message), {
        cause: error,
      });
      return { answer: null, failure, retryInMs: PASSING.has(error.failure) ? backoff : null, jitterMs: 0 };
    }
  }

  private judge(
    { what, url, form = 'object', isWhole = () => true, errorIn = () => null }: VendorRequest,
    { status, headers, body }: OutgoingAnswer,
    attempt: number,
    backoff: number,
  ): Attempt {
    this.noteLimit(headers);
    const clock = this.retryTiming.clock();
    const failed = (
      kind: VendorFailure,
      reason: string,
      retryInMs: number | null,
      jitterMs = 0,
    ): Attempt => ({
      answer: null,
      failure: new VendorError(what, kind, reason),
      retryInMs,
      jitterMs,
    });
    if (status === 429) {
      const asked = limitWaitMs(headers, clock);
      const waitMs = asked || backOffMs(attempt, LIMIT_BACK_OFF, 1);
      return failed('limit', 'too many requests (status 429)', waitMs, backoff);
    }
    if (status >= 500) {
      const asked = status === 503 ? limitWaitMs(headers, clock) : null;
      return failed('answer', `the platform failed (status ${status})`, Math.max(asked ?? 0, backoff));
    }
    if (status >= 300 && status < 400) {
      return failed(
        'answer',
        `the platform returned a redirect (status ${status}): use the target address${redirectedTo(headers, url)}`,
        null,
      );
    }
    const parsed = parseJson(body);
    const isSuccess = status < 300;
    const isOfForm = form === 'list' ? Array.isArray : isObject;
    if (isSuccess && !(parsed.ok && isOfForm(parsed.value))) {
      return failed(
        'answer',
        `the response is not a JSON ${form}${parsed.ok ? '' : ` (${parsed.message})`}`,
        backoff,
      );
    }
    const json = parsed.ok ? objectOf(parsed.value) : {};
    const list = parsed.ok ? listOf(parsed.value) : [];
    if (isSuccess && !isWhole(json)) return failed('answer', 'the response lacks required fields', backoff);
    const answer = { status, headers, answeredAt: answeredAt(headers, clock), body: json, list, flaw: null };
    const error = isSuccess ? errorIn(json) : null;
    if (error === null) return { answer, failure: null, retryInMs: null, jitterMs: 0 };
    return { ...failed('answer', `the response reports an error: ${this.shown(error)}`, backoff), answer };
  }

  private noteLimit(headers: Record<string, string>): void {
    const limit = Number(headers['x-ratelimit-limit']);
    const remaining = Number(headers['x-ratelimit-remaining']);
    this.slowDown = limit > 0 && remaining < limit * LOW_PART;
  }

  private async keepToLimit(signal?: AbortSignal): Promise<void> {
    if (!this.slowDown) return;
    this.slowDown = false;
    await this.pause(SLOW_DOWN_MS, signal);
  }

  /** @throws EgressError of kind `aborted` if the signal is */
  async pause(ms: number, signal?: AbortSignal): Promise<void> {
    try {
      await this.retryTiming.sleep(ms, signal);
    } catch (error) {
      if (signal?.aborted) throw new EgressError('aborted', 'the import was stopped', { cause: error });
      throw error;
    }
  }

  private shown(text: string): string {
    return cut(this.withoutSecrets(text), MESSAGE_CHARS_MAX);
  }

  private withoutSecrets(text: string): string {
    return [...this.hidden].reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  }
}

const exhausted = ({ what, failure, reason, cause }: VendorError, attempts: number): VendorError =>
  new VendorError(what, failure, attempts === 1 ? reason : `${reason}; ${attempts} attempts failed`, {
    cause,
  });

const putOff = ({ what, failure, reason }: VendorError, ms: number): VendorError =>
  new VendorError(
    what,
    failure,
    `${reason}; the platform requests a wait of ${Math.ceil(ms / 1000)} seconds`,
  );
