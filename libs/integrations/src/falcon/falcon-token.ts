import { type Json, textOf } from '../json-values.ts';
import type { Effort, RetryTiming, VendorAnswer, VendorRequests } from '../requests/vendor-requests.ts';
import { otherRegion } from './falcon-regions.ts';

export interface FalconCredentials {
  /** Base URL, without a slash at its end. */
  url: string;
  clientId: string;
  clientSecret: string;
}

/** A token is renewed so long before its end that a request sent with it still arrives in time. */
const RENEWED_BEFORE_MS = 60_000;
/** If the answer does not say; the platform gives 1799 seconds. */
const LIFETIME_SECONDS = 1799;

/** The bearer token of a client, asked for when it is first needed and renewed before its end. */
export class FalconToken {
  private current: { token: string; renewAt: number } | null = null;
  /** Names the region whose base URL is the right one; null if it is this one, or not known. */
  elsewhere: string | null = null;

  constructor(
    private readonly requests: VendorRequests,
    private readonly credentials: FalconCredentials,
    private readonly retryTiming: RetryTiming,
  ) {}

  /** @throws VendorError of `credentials` if they are refused */
  async get(signal?: AbortSignal, effort?: Effort): Promise<string> {
    if (this.current && this.retryTiming.clock() < this.current.renewAt) return this.current.token;
    const { url, clientId, clientSecret } = this.credentials;
    const asked = this.retryTiming.clock();
    const answer = await this.requests.send(
      {
        what: 'token',
        method: 'POST',
        url: `${url}/oauth2/token`,
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret }).toString(),
        isWhole: (body) => textOf(body.access_token, TOKEN_CHARS_MAX) !== '',
        signal,
      },
      effort,
    );
    this.elsewhere = otherRegion(answer.headers, url);
    if (answer.status >= 400) throw this.refusal(answer);
    const token = textOf(answer.body.access_token, TOKEN_CHARS_MAX);
    this.requests.hide(token);
    this.current = { token, renewAt: asked + lifetimeMs(answer.body) - RENEWED_BEFORE_MS };
    return token;
  }

  /** The platform no longer takes it. */
  drop(): void {
    this.current = null;
  }

  private refusal(answer: VendorAnswer) {
    const isRefused = [400, 401, 403].includes(answer.status);
    return isRefused
      ? this.requests.refusal(
          'token',
          'credentials',
          explained('client id and secret are not accepted', this.elsewhere),
          answer,
        )
      : this.requests.refusal(
          'token',
          'request',
          'the response contains no token: check the base URL of the API',
          answer,
        );
  }
}

/** A rejection with the known part of its reason. */
export const explained = (meaning: string, reason: string | null): string =>
  reason === null ? meaning : `${meaning}: ${reason}`;

const TOKEN_CHARS_MAX = 16_384;

function lifetimeMs({ expires_in: seconds }: Json): number {
  const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds : LIFETIME_SECONDS;
  // A token with a short lifetime would be renewed before each request, so it is used for half of its lifetime.
  return Math.max(lifetime * 1000, RENEWED_BEFORE_MS + lifetime * 500);
}
