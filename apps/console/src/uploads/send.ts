import type { Api } from '../api/client.ts';
import { failureOf } from '../api/readable-response.ts';
import { showControls } from '../parts/show-controls.ts';
import { refuseToken, tokenInForce } from '../session/session.ts';

/** An error of the service that lists what was malformed; of a single signal the entry is left out. */
export type Refusal = Omit<Api['Error'], 'errors'> & {
  errors?: { entry?: string; field: string; message: string }[];
};

/** How an attempt to send ended. `lost`: nobody knows whether it arrived. */
export type Sent<Answer> =
  | { as: 'answered'; answer: Answer }
  | { as: 'refused'; refusal: Refusal }
  | { as: 'lost' }
  | { as: 'cancelled' };

interface Request {
  path: string;
  body: FormData | Blob;
  headers?: Record<string, string>;
  /** How much of the body is on its way, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Posts a file. What meets an ended session waits for the sign-in, and is sent again. */
export async function send<Answer>(request: Request): Promise<Sent<Answer>> {
  for (;;) {
    const token = await tokenInForce(request.signal).catch(() => null);
    if (token === null) return { as: 'cancelled' };
    const sent = await attempt<Answer>(request, token);
    if (sent.as !== 'refused' || sent.refusal.statusCode !== 401) return sent;
    refuseToken(token);
  }
}

/** By XMLHttpRequest: the browser's `fetch` does not say how far it is with a body. */
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
  return { as: 'refused', refusal: { ...failureOf(status), ...(body as Partial<Refusal> | null) } };
}

/** What stands between the browser and the service answers in its own words, which are no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
