import { plural, t } from '@lingui/core/macro';
import { anonymous } from '../api/client.ts';
import { sentenceOf } from '../parts/states.tsx';
import type { NewSession } from './session.ts';

/** `asksForCode`: the password is right, and the user has a second factor. */
type SignInAnswer = { session: NewSession } | { failure: string | null; asksForCode: boolean };

/** Begins a session with user name and password, and the code of a second factor. Never throws: a failure is a message. */
export async function signIn(username: string, password: string, code: string): Promise<SignInAnswer> {
  const headers = {
    authorization: `Basic ${base64(`${username}:${password}`)}`,
    ...(code && { 'x-second-factor': code }),
  };
  try {
    const { data, error, response } = await anonymous.POST('/api/v3/sessions', { headers });
    return data ? { session: data } : refusal(response.status, error);
  } catch (error) {
    return { failure: sentenceOf(error as Error), asksForCode: false };
  }
}

function refusal(
  status: number,
  { message, reason = '' }: { message: string; reason?: string },
): { failure: string | null; asksForCode: boolean } {
  if (status === 429) {
    const failure = plural(Number(message) || 1, {
      one: 'Too many attempts. Try again in # second.',
      other: 'Too many attempts. Try again in # seconds.',
    });
    return { failure, asksForCode: false };
  }
  switch (reason) {
    case 'secondFactorRequired':
      return { failure: null, asksForCode: true };
    case 'secondFactorWrong':
      return {
        failure: t`The code is wrong or was used before. Wait for the next code.`,
        asksForCode: true,
      };
    case 'secondFactorNotEnrolled':
      return {
        failure: t`You need a second factor, and the time to set it up is over. Ask an admin to rotate your password.`,
        asksForCode: false,
      };
  }
  const failure = status === 401 ? t`The user name or the password is wrong.` : message;
  return { failure, asksForCode: false };
}

/** Encodes UTF-8 bytes, as HTTP Basic requires (RFC 7617). */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
