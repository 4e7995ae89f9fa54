import { showControls } from '../parts/show-controls.ts';

/** Routes whose texts are shown, and never edited and sent back. */
const SHOWN = /^\/api\/v3\/(findings|assets|scores|uploads|audit)\b/;
const JSON_TYPE = /^application\/json\b/;

/** Makes sure that a failure has words, and that no text turns round what is beside it. Downloads stay as they are. */
export async function readable(response: Response): Promise<Response> {
  const isJson = JSON_TYPE.test(response.headers.get('content-type') ?? '');
  if (response.ok && !isJson) return response;
  const isShown = SHOWN.test(new URL(response.url).pathname);
  if (response.ok && !isShown) return response;
  const text = await response.text();
  const { status, statusText, headers } = response;
  const body = response.ok || hasMessage(text) ? showControls(text) : JSON.stringify(failureOf(status));
  // A status without a body takes none.
  return new Response(body === '' ? null : body, { status, statusText, headers });
}

function hasMessage(text: string): boolean {
  try {
    return /\S/.test(JSON.parse(text).message);
  } catch {
    return false;
  }
}

/** For what a proxy between the browser and the service answers: HTML, or nothing. */
export const failureOf = (statusCode: number) => ({
  statusCode,
  error: '',
  message: `The service, or a proxy in front of it, answered with status ${statusCode} and gave no reason.`,
});
