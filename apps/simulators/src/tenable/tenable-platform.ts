import { type Answer, type ReceivedRequest, Refusal } from '../http/answer.ts';
import type { Reshaping, Route, Vendor } from '../http/route.ts';
import type { Fields } from '../records/collection.ts';

/** API keys of a user of the scanner. */
export interface TenableKeys {
  accessKey: string;
  secretKey: string;
  /** Whether the user may export. */
  canExport: boolean;
}

/** Who may ask from the start: with the permission to export, and without. */
export const TENABLE_KEYS = {
  full: { accessKey: 'simulated-tenable-key', secretKey: 'simulated-tenable-secret', canExport: true },
  withoutExport: {
    accessKey: 'simulated-tenable-key-2',
    secretKey: 'simulated-tenable-secret-2',
    canExport: false,
  },
} as const satisfies Record<string, TenableKeys>;

/** Who may ask the scanner for what. */
export class TenablePlatform implements Vendor {
  private readonly users: readonly TenableKeys[] = Object.values(TENABLE_KEYS);

  /** An endpoint that takes both keys in one header. */
  guarded(route: Omit<Route, 'vendor'>): Route {
    const answer: Route['answer'] = (asked, act) => {
      const user = this.users.find((known) => isOf(known, asked));
      if (user === undefined) throw this.unauthorized();
      if (!user.canExport) throw this.forbidden();
      return route.answer(asked, act);
    };
    return { ...route, vendor: this, answer };
  }

  headers(): Record<string, string> {
    return {};
  }

  refused({ status, message }: Refusal): Answer {
    return { status, body: { statusCode: status, error: 'Error', message } };
  }

  /** Chunks are lists without anything around them. */
  recordsOf({ body }: Answer): unknown[] | undefined {
    return Array.isArray(body) ? body : undefined;
  }

  reshaped(answer: Answer, { records }: Reshaping): Answer {
    return { ...answer, body: records ?? answer.body };
  }

  /** Keys do not expire. */
  expire(): void {}

  unauthorized(): Refusal {
    return new Refusal(401, 'Invalid Credentials');
  }

  forbidden(): Refusal {
    return new Refusal(403, 'Your role does not permit this action.');
  }

  tooMany(_retryAt: string | undefined, waitSeconds?: number): Refusal {
    const headers: Record<string, string> =
      waitSeconds === undefined ? {} : { 'retry-after': String(waitSeconds) };
    return new Refusal(429, 'Too Many Requests', headers);
  }
}

function isOf({ accessKey, secretKey }: TenableKeys, { headers }: ReceivedRequest): boolean {
  const given: Fields = Object.fromEntries(
    (headers['x-apikeys'] ?? '').split(';').map((part) => part.trim().split('=', 2)),
  );
  return given.accessKey === accessKey && given.secretKey === secretKey;
}
