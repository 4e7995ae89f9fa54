import { t } from '@lingui/core/macro';
import { isShownRoute, showControls } from '../parts/show-controls.ts';

const JSON_TYPE = /^application\/json\b/;

/** Adds a message to errors without one and makes bidirectional control characters visible. Downloads are unchanged. */
export async function readable(response: Response): Promise<Response> {
  const isJson = JSON_TYPE.test(response.headers.get('content-type') ?? '');
  if (response.ok && !isJson) return response;
  if (response.ok && !isShownRoute(new URL(response.url).pathname)) return response;
  const text = await response.text();
  const { status, statusText, headers } = response;
  const body = response.ok || hasMessage(text) ? showControls(text) : JSON.stringify(failureOf(status));
  // Responses with a status such as 204 must not have a body.
  return new Response(body === '' ? null : body, { status, statusText, headers });
}

function hasMessage(text: string): boolean {
  try {
    return /\S/.test(JSON.parse(text).message);
  } catch {
    return false;
  }
}

/** Error for a response without a message, for example HTML from a proxy. */
export const failureOf = (statusCode: number) => ({
  statusCode,
  error: '',
  message: t`The service or a proxy returned status ${statusCode} without an error message.`,
});
