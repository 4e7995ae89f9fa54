import { ApiError } from './api-error.ts';
import { type Retries, withRetry } from './retry.ts';
import type { Schemas } from './types.ts';

/** API credentials, an API token, or an access token, preferably as a function that returns a current one. */
export type Credentials =
  | { username: string; password: string; token?: never }
  | { token: string | (() => string | Promise<string>); username?: never; password?: never };

/** Provides access tokens. Concurrent requests share one sign-in. An expired token is replaced. */
export class Session {
  private current: Promise<string> | null = null;

  constructor(
    private readonly url: string,
    private readonly credentials: Credentials,
    private readonly send: (request: Request) => Promise<Response>,
    private readonly retries: Retries,
  ) {}

  /** @throws ApiError if the service rejects the credentials */
  token(): Promise<string> {
    if (this.current === null) {
      const asked = this.ask();
      this.current = asked;
      // After a failure, the next caller tries again.
      asked.catch(() => {
        if (this.current === asked) this.current = null;
      });
    }
    return this.current;
  }

  /** Discards a rejected token. @returns whether a new token can be requested */
  async discard(token: string): Promise<boolean> {
    if (typeof this.credentials.token === 'string') return false;
    const held = await this.current?.catch(() => null);
    if (held === token) this.current = null;
    return true;
  }

  private async ask(): Promise<string> {
    const { token } = this.credentials;
    if (token !== undefined) return typeof token === 'function' ? token() : token;
    return this.signIn(this.credentials);
  }

  private async signIn({ username, password }: { username: string; password: string }): Promise<string> {
    const bytes = new TextEncoder().encode(`${username}:${password}`);
    const basic = btoa(String.fromCharCode(...bytes));
    const headers = { authorization: `Basic ${basic}` };
    const request = () => new Request(`${this.url}/api/v3/auth`, { method: 'POST', headers });
    const { policy, onWait } = this.retries;
    const response = await withRetry(request(), () => this.send(request()), policy(), onWait, true);
    const body: unknown = await response.json().catch(() => null);
    if (!response.ok) throw ApiError.of('POST', response, body);
    return (body as Schemas['AccessTokenDto']).accessToken;
  }
}
