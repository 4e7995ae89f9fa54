import { t } from '@lingui/core/macro';
import { anonymous } from '../api/client.ts';
import { sentenceOf } from '../parts/states.tsx';
import type { NewSession } from './session.ts';

/** A sign-in in progress. Only this tab can finish it. */
interface Started {
  provider: string;
  /** Of the service. */
  proof: string;
  /** Page of the console to show afterwards; null: the window hands its session over to another one. */
  returnTo: string | null;
}

export type Finished = { session: NewSession; returnTo: string | null } | { failure: string };

/** In the address of a window that hands its session over to the page that has opened it. */
export const HAND_OVER = 'hand-over';
const KEY = 'posture-sign-in';

/**
 * Leaves the page for that of the identity provider.
 * @returns a sentence if that failed
 */
export async function startSignIn(provider: string, returnTo: string | null): Promise<string | null> {
  try {
    const params = { path: { provider } };
    const { data, error } = await anonymous.POST('/api/v3/sign-in/{provider}', { params });
    if (!data) return sentence(sentenceOf(error));
    const started: Started = { provider, proof: data.proof, returnTo };
    sessionStorage.setItem(KEY, JSON.stringify(started));
    window.location.assign(data.url);
    return null;
  } catch (error) {
    return sentenceOf(error as Error);
  }
}

/** Finishes a sign-in with the parameters that the identity provider has added to the address. */
export async function finishSignIn(provider: string, given: URLSearchParams): Promise<Finished> {
  const started = takeStarted();
  if (started === null || started.provider !== provider)
    return { failure: t`This sign-in was not started in this browser tab. Start again.` };
  const parameter = (name: string) => given.get(name) ?? undefined;
  try {
    const { data, error } = await anonymous.POST('/api/v3/sign-in/{provider}/finish', {
      params: { path: { provider } },
      body: {
        proof: started.proof,
        state: given.get('state') ?? '',
        code: parameter('code'),
        iss: parameter('iss'),
        error: parameter('error'),
      },
    });
    if (!data) return { failure: sentence(sentenceOf(error)) };
    return { session: data, returnTo: started.returnTo === null ? null : pathWithin(started.returnTo) };
  } catch (error) {
    return { failure: sentenceOf(error as Error) };
  }
}

/** It can be used once. */
function takeStarted(): Started | null {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return JSON.parse(kept ?? 'null');
}

/** A path of the console. Whatever else is stored leads to its first page, and never to another host. */
const pathWithin = (path: unknown): string =>
  typeof path === 'string' && /^\/(?![/\\]|sign-in\/)/.test(path) ? path : '/';

/** The service begins its messages in lower case. */
const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
