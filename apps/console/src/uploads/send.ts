import type { Api } from '../api/client.ts';
import { failureOf } from '../api/readable-response.ts';
import { showControls } from '../parts/show-controls.ts';
import { rejectToken, tokenInForce } from '../session/session.ts';

/** An error of the service with its list of problems; errors of a single signal have no `entry`. */
export type Rejection = Omit<Api['Error'], 'errors'> & {
  errors?: { entry?: string; field: string; message: string }[];
};

/** Outcome of a request. `lost`: the request may or may not have arrived. */
export type Sent<Answer> =
  | { as: 'answered'; answer: Answer }
  | { as: 'rejected'; rejection: Rejection }
  | { as: 'lost' }
  | { as: 'cancelled' };

interface Request {
  path: string;
  body: FormData | Blob;
  headers?: Record<string, string>;
  /** Called with the sent share of the body, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Posts a file. If the session has expired, it waits for the sign-in and sends the file again. */
export async function send<Answer>(request: Request): Promise<Sent<Answer>> {
  for (;;) {
    const token = await tokenInForce(request.signal).catch(() => null);
    if (token === null) return { as: 'cancelled' };
    const sent = await attempt<Answer>(request, token);
    if (sent.as !== 'rejected' || sent.rejection.statusCode !== 401) return sent;
    rejectToken(token);
  }
}

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
function attempt<Answer>(
  { path, body, headers = {}, onProgress, signal }: Request,
  token: string,
): Promise<Sent<Answer>> {
  const request = new XMLHttpRequest();
  const ended = new Promise<Sent<Answer>>((resolve) => {
    request.onload = () => resolve(sentOf(request));
    request.onerror = () => resolve({ as: 'lost' });
    request.onabort = () => resolve({ as: 'cancelled' });
  });
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
  request.open('POST', path);
  request.setRequestHeader('authorization', `Bearer ${token}`);
  request.setRequestHeader('accept', 'application/json');
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const cancel = () => request.abort();
  signal.addEventListener('abort', cancel);
  request.send(body);
  return ended.finally(() => signal.removeEventListener('abort', cancel));
}

function sentOf<Answer>({ status, responseText }: XMLHttpRequest): Sent<Answer> {
  const body = parsed(showControls(responseText));
  if (status === 200 && body !== null) return { as: 'answered', answer: body as Answer };
  return { as: 'rejected', rejection: { ...failureOf(status), ...(body as Partial<Rejection> | null) } };
}

/** Null if the body is not JSON, for example from a proxy. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
