import { failureOf } from '../api/readable-response.ts';
import type { NewSession } from './session.ts';

/** Begins a session with user name and password. Never throws: a failure is a message. */
export async function signIn(
  username: string,
  password: string,
): Promise<{ session: NewSession } | { failure: string }> {
  try {
    const response = await fetch('/api/v3/sessions', {
      method: 'POST',
      headers: { authorization: `Basic ${base64(`${username}:${password}`)}` },
    });
    const body = await response.json();
    if (response.ok) return { session: body };
    if (response.status === 429)
      return { failure: `Too many attempts. Try again in ${body.message} seconds.` };
    return {
      failure:
        response.status === 401
          ? 'The user name or the password is wrong.'
          : body.message || failureOf(response.status).message,
    };
  } catch {
    return { failure: 'The service is not responding.' };
  }
}

/** Encodes UTF-8 bytes, as HTTP Basic requires (RFC 7617). */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
