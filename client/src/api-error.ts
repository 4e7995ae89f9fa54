import type { Schemas } from './types.ts';

/** One thing that is wrong with what was sent. */
export interface Problem {
  /** Of a ZIP; null where it is the ZIP itself. */
  entry?: string | null;
  /** Path in the body, as `securityContext.severity.value`. */
  field: string;
  message: string;
}

/** An answer that is no success. Its `message` is the service's own sentence. */
export class ApiError extends Error {
  override name = 'ApiError';

  private constructor(
    message: string,
    /** Of HTTP. */
    readonly status: number,
    /** What was asked: `POST /api/v3/signals`. */
    readonly request: string,
    /** By which the operators find the request in their logs; null where something in between answered. */
    readonly requestId: string | null,
    /** Seconds after which the service asks to try again; null where it does not say. */
    readonly retryAfter: number | null,
    /** The first 100 things that are wrong with what was sent. */
    readonly problems: readonly Problem[],
  ) {
    super(message);
  }

  /** Where something is wrong with what was sent: `web-shell.json: entity.name`. */
  get paths(): string[] {
    return this.problems.map(({ entry, field }) => (entry ? `${entry}: ${field}` : field));
  }

  /** @param body of the answer: text that is no error of the service is not repeated */
  static of(method: string, response: Response, body: unknown): ApiError {
    const { status, headers, url } = response;
    const { message, errors, retryIn } = isError(body) ? body : {};
    const retryAfter = secondsAsked(response) ?? retryIn ?? null;
    const sentence = status === 429 ? `the service is busy: try again in ${retryAfter ?? 'some'} s` : message;
    const request = `${method} ${url === '' ? '' : new URL(url).pathname}`;
    return new ApiError(
      sentence ?? `${request} was answered with ${status}`,
      status,
      request,
      headers.get('x-request-id'),
      retryAfter,
      (errors ?? []) as unknown as Problem[],
    );
  }
}

/** `Retry-After` in seconds; null where there is none. */
export function secondsAsked({ headers }: Response): number | null {
  const asked = headers.get('retry-after');
  return asked !== null && /^\d+$/.test(asked) ? Number(asked) : null;
}

const isError = (body: unknown): body is Schemas['Error'] =>
  typeof body === 'object' && body !== null && typeof (body as Schemas['Error']).message === 'string';
