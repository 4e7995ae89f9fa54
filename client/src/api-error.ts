import type { Schemas } from './types.ts';

/** One problem of a request. */
export interface Problem {
  /** Entry of a ZIP; null for the ZIP itself. */
  entry?: string | null;
  /** Path in the body, for example `securityContext.severity.value`. */
  field: string;
  message: string;
}

/** An error response. `message` is the message of the service. */
export class ApiError extends Error {
  override name = 'ApiError';

  private constructor(
    message: string,
    /** HTTP status. */
    readonly status: number,
    /** Method and path: `POST /api/v3/signals`. */
    readonly request: string,
    /** Identifies the request in the logs of the service; null if a proxy sent the response. */
    readonly requestId: string | null,
    /** Seconds until a retry, if the service specifies them; otherwise null. */
    readonly retryAfter: number | null,
    /** The first 100 problems of the request. */
    readonly problems: readonly Problem[],
  ) {
    super(message);
  }

  /** Locations of the problems: `web-shell.json: entity.name`. */
  get paths(): string[] {
    return this.problems.map(({ entry, field }) => (entry ? `${entry}: ${field}` : field));
  }

  /** @param body of the response; it is ignored unless it is an error of the service */
  static of(method: string, response: Response, body: unknown): ApiError {
    const { status, headers, url } = response;
    const { message, errors, retryIn } = isError(body) ? body : {};
    const retryAfter = retryAfterSeconds(response) ?? retryIn ?? null;
    const sentence = status === 429 ? `the service is busy: retry in ${retryAfter ?? 'some'} s` : message;
    const request = `${method} ${url === '' ? '' : new URL(url).pathname}`;
    return new ApiError(
      sentence ?? `${request} failed with status ${status}`,
      status,
      request,
      headers.get('x-request-id'),
      retryAfter,
      (errors ?? []) as unknown as Problem[],
    );
  }
}

/** `Retry-After` in seconds; null if absent. */
function retryAfterSeconds({ headers }: Response): number | null {
  const asked = headers.get('retry-after');
  return asked !== null && /^\d+$/.test(asked) ? Number(asked) : null;
}

const isError = (body: unknown): body is Schemas['Error'] =>
  typeof body === 'object' && body !== null && typeof (body as Schemas['Error']).message === 'string';
