import { ApiError } from './api-error.ts';
import { type Patience, patiently } from './patience.ts';
import type { Schemas } from './types.ts';

/** Who asks: API credentials, or an access token that somebody else has got, at best as a function that gets one. */
export type Credentials =
  | { username: string; password: string; token?: never }
  | { token: string | (() => string | Promise<string>); username?: never; password?: never };

/** Gets access tokens, each once for all requests that need it at the same time, and another one when it has ended. */
export class Session {
  private current: Promise<string> | null = null;

  constructor(
    private readonly url: string,
    private readonly credentials: Credentials,
    private readonly send: (request: Request) => Promise<Response>,
    private readonly patience: Patience,
  ) {}

  /** @throws ApiError where the service does not accept the credentials */
  token(): Promise<string> {
    if (this.current === null) {
      const asked = this.ask();
      this.current = asked;
      // What has failed is asked for anew by whoever comes next.
      asked.catch(() => {
        if (this.current === asked) this.current = null;
      });
    }
    return this.current;
  }

  /** A token that was refused is given to nobody again. @returns whether there may be another one */
  async refused(token: string): Promise<boolean> {
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
    const response = await patiently(request(), () => this.send(request()), this.patience, true);
    const body: unknown = await response.json().catch(() => null);
    if (!response.ok) throw ApiError.of('POST', response, body);
    return (body as Schemas['AccessTokenDto']).accessToken;
  }
}
