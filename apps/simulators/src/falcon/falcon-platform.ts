import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { type Answer, type ReceivedRequest, Refusal } from '../http/answer.ts';
import { RateWindow } from '../http/rate-window.ts';
import type { Reshaping, Route, Vendor } from '../http/route.ts';
import { envelope, paginationOf } from './envelope.ts';
import { FALCON_CLIENTS, type FalconClient, type Scope } from './falcon-client.ts';

/** How long a token is taken, as its answer says, in seconds. */
export const TOKEN_SECONDS = 1_799;
export const TOKEN_PATH = '/oauth2/token';
const TOKENS_A_MINUTE = 300;
const BAD_BEARERS_A_MINUTE = 15;
const CUSTOMER = 'customer';

interface Token {
  clientId: string;
  expiresAtMs: number;
}

export interface FalconLimits {
  /** Requests a minute, of all clients together. */
  requestsPerMinute: number;
}

/** Who may ask the EDR platform for what, and how often. */
export class FalconPlatform implements Vendor {
  private readonly clients = new Map<string, FalconClient>(
    Object.values(FALCON_CLIENTS).map((client) => [client.id, client]),
  );
  private readonly tokens = new Map<string, Token>();
  private readonly requests: RateWindow;
  private readonly tokenRequests: RateWindow;
  private readonly badBearers: RateWindow;

  constructor(
    private readonly clock: Clock,
    { requestsPerMinute }: FalconLimits,
  ) {
    const nowMs = () => clock.now();
    this.requests = new RateWindow(requestsPerMinute, nowMs);
    this.tokenRequests = new RateWindow(TOKENS_A_MINUTE, nowMs);
    this.badBearers = new RateWindow(BAD_BEARERS_A_MINUTE, nowMs);
  }

  /** An endpoint that takes a bearer token whose client has the scope. */
  guarded(scope: Scope, route: Omit<Route, 'vendor'>): Route {
    const answer = (asked: ReceivedRequest): Answer => {
      this.admit(asked, scope);
      return route.answer(asked);
    };
    return { ...route, vendor: this, answer };
  }

  /**
   * Gives out a token.
   * @throws Refusal 400 if the id is malformed, 403 if the pair is wrong, 429 if too many were requested
   */
  signIn(clientId: string, secret: string, address: string): string {
    if (!this.tokenRequests.take(address)) throw this.tooManyUntil(this.tokenRequests);
    if (!/^[0-9a-f]{32}$/.test(clientId)) throw new Refusal(400, 'Bad Request - Invalid client ID');
    if (this.clients.get(clientId)?.secret !== secret) {
      throw new Refusal(403, 'Failed to issue access token - Not Authorized');
    }
    this.forgetExpired();
    const token = randomBytes(32).toString('base64url');
    this.tokens.set(token, { clientId, expiresAtMs: this.clock.now() + TOKEN_SECONDS * 1_000 });
    return token;
  }

  isClient(clientId: string, secret: string): boolean {
    return this.clients.get(clientId)?.secret === secret;
  }

  revoke(token: string): void {
    this.tokens.delete(token);
  }

  /** @throws RangeError if there is no such client */
  setScopes(clientId: string, scopes: readonly Scope[]): void {
    const client = this.clients.get(clientId);
    if (client === undefined) throw new RangeError('There is no such client.');
    this.clients.set(clientId, { ...client, scopes });
  }

  /** The token route has a limit of its own. */
  headers({ path, address }: ReceivedRequest): Record<string, string> {
    const [window, who] = path === TOKEN_PATH ? [this.tokenRequests, address] : [this.requests, CUSTOMER];
    return {
      'X-Ratelimit-Limit': String(window.limit),
      'X-Ratelimit-Remaining': String(window.remaining(who)),
    };
  }

  refused({ status, message }: Refusal): Answer {
    return envelope(status, { errors: [{ code: status, message }] });
  }

  recordsOf({ body }: Answer): unknown[] | undefined {
    const { resources } = body as { resources?: unknown[] };
    return resources;
  }

  reshaped(answer: Answer, { records, error, isCounted = true }: Reshaping): Answer {
    const { total, ...pagination } = paginationOf(answer);
    const body = answer.body as { meta: object; resources: unknown[]; errors: unknown[] };
    return {
      ...answer,
      body: {
        meta: { ...body.meta, pagination: isCounted ? { total, ...pagination } : pagination },
        resources: records ?? body.resources,
        errors: error === undefined ? body.errors : [{ code: 500, message: error }],
      },
    };
  }

  expire(asked: ReceivedRequest): void {
    this.revoke(bearerOf(asked));
  }

  unauthorized(): Refusal {
    return new Refusal(401, 'access denied, invalid bearer token');
  }

  forbidden(): Refusal {
    return new Refusal(403, 'access denied, authorization failed');
  }

  tooMany(retryAt: string | undefined): Refusal {
    const headers: Record<string, string> =
      retryAt === undefined ? {} : { 'X-RateLimit-RetryAfter': retryAt };
    return new Refusal(429, 'API rate limit exceeded.', headers);
  }

  private admit(asked: ReceivedRequest, scope: Scope): void {
    const client = this.clientOf(bearerOf(asked));
    if (client === undefined) {
      throw this.badBearers.take(asked.address) ? this.unauthorized() : this.tooManyUntil(this.badBearers);
    }
    if (!this.requests.take(CUSTOMER)) throw this.tooManyUntil(this.requests);
    if (!client.scopes.includes(scope)) throw this.forbidden();
  }

  private clientOf(bearer: string): FalconClient | undefined {
    const token = this.tokens.get(bearer);
    if (token === undefined || token.expiresAtMs <= this.clock.now()) return undefined;
    return this.clients.get(token.clientId);
  }

  private tooManyUntil(window: RateWindow): Refusal {
    return this.tooMany(String(Math.ceil(window.endsAtMs / 1_000)));
  }

  private forgetExpired(): void {
    for (const [token, { expiresAtMs }] of this.tokens) {
      if (expiresAtMs <= this.clock.now()) this.tokens.delete(token);
    }
  }
}

const bearerOf = ({ headers }: ReceivedRequest): string =>
  /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
