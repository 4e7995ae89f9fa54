import { type Answer, type ReceivedRequest, Refusal } from '../http/answer.ts';
import type { Reshaping, Route, Vendor } from '../http/route.ts';

/** Credentials of the inventory platform. */
export interface AxoniusKey {
  key: string;
  secret: string;
  /** Whether the user may see devices. */
  canView: boolean;
}

/** Who may ask from the start: with the permission to see devices, and without. */
export const AXONIUS_KEYS = {
  full: { key: 'simulated-axonius-key', secret: 'simulated-axonius-secret', canView: true },
  withoutDevices: { key: 'simulated-axonius-key-2', secret: 'simulated-axonius-secret-2', canView: false },
} as const satisfies Record<string, AxoniusKey>;

/** Who may ask the inventory platform for what. */
export class AxoniusPlatform implements Vendor {
  private readonly keys: readonly AxoniusKey[] = Object.values(AXONIUS_KEYS);

  /** An endpoint that takes the key and the secret in headers. */
  guarded(needs: 'nothing' | 'devices', route: Omit<Route, 'vendor'>): Route {
    const answer = (asked: ReceivedRequest): Answer => {
      const { 'api-key': key, 'api-secret': secret } = asked.headers;
      const user = this.keys.find((known) => known.key === key && known.secret === secret);
      if (user === undefined) throw this.unauthorized();
      if (needs === 'devices' && !user.canView) throw this.forbidden();
      return route.answer(asked);
    };
    return { ...route, vendor: this, answer };
  }

  headers(): Record<string, string> {
    return {};
  }

  refused({ status, message }: Refusal): Answer {
    return { status, body: { errors: [{ status: String(status), title: message, detail: message }] } };
  }

  recordsOf({ body }: Answer): unknown[] | undefined {
    const { data } = body as { data?: unknown };
    return Array.isArray(data) ? data : undefined;
  }

  reshaped(answer: Answer, { records, error, isCounted = true }: Reshaping): Answer {
    const { data, meta } = answer.body as {
      data: unknown[];
      meta: { page: { number: number; size: number } };
    };
    const { number, size } = meta.page;
    return {
      ...answer,
      body: {
        data: records ?? data,
        meta: isCounted ? meta : { ...meta, page: { number, size } },
        ...(error !== undefined && { errors: [{ status: '500', title: error, detail: error }] }),
      },
    };
  }

  /** Keys do not expire. */
  expire(): void {}

  unauthorized(): Refusal {
    return new Refusal(401, 'api-key or api-secret is wrong');
  }

  forbidden(): Refusal {
    return new Refusal(403, 'You are lacking some permissions for this request');
  }

  tooMany(retryAt: string | undefined): Refusal {
    const headers: Record<string, string> =
      retryAt === undefined ? {} : { 'X-RateLimit-RetryAfter': retryAt };
    return new Refusal(429, 'Too many requests', headers);
  }
}
