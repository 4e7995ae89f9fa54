import { useSyncExternalStore } from 'react';
import type { components } from '../api/schema.ts';

export type NewSession = components['schemas']['NewSessionDto'];
export type Scope = NewSession['scopes'][number];

export interface Session {
  id: string;
  token: string;
  username: string;
  /** Id of the identity provider; null: user name and password. */
  provider: string | null;
  scopes: readonly Scope[];
  /** By the browser clock, which may differ from the clock of the service; epoch milliseconds. */
  expiresAt: number;
}

/**
 * Why no session is valid: initially, after a sign-out, because the token expired or was revoked, or because the user
 * rotated the password and must see the new one before the sign-in.
 */
export type EndReason = 'none' | 'signedOut' | 'expired' | 'rotated';

/** Messages between tabs of this browser. They stay within the origin and are not stored on disk. */
type Message =
  | { kind: 'ask' }
  | { kind: 'inForce'; session: Session }
  | { kind: 'ended'; token: string; reason: EndReason };

/** A tab that is still open since an earlier version has a session of another form under `posture-session`. */
const KEY = 'posture-session-2';
/** Open tabs respond within milliseconds; suspended tabs do not respond. */
const ANSWER_MS_MAX = 300;
/** After this time without a response, a rotation counts as failed. */
const ROTATION_MS_MAX = 10_000;
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel(KEY);
let endReason: EndReason = 'none';
let endedToken: string | null = null;
let timer: number | undefined;
let rotation: number | undefined;

/**
 * The session of this tab. It survives a reload, but ends with the tab. After `expired` and `rotated` the user and the
 * page remain, `isInForce` is false, and requests wait for the next sign-in.
 */
export const session: { current: Session | null; isInForce: boolean } = { current: null, isInForce: false };
const kept = stored();
if (kept) adopt(kept);
tabs.onmessage = ({ data }: MessageEvent<Message>) => receive(data);

/** Signs in this tab, and tabs that show the sign-in page or an expired session of the same user. */
export function beginSession(answer: NewSession): void {
  const begun = sessionOf(answer);
  adopt(begun);
  post({ kind: 'inForce', session: begun });
}

/** Ends the session in every tab. */
export function endSession(reason: EndReason): void {
  const token = session.current?.token;
  end(reason);
  if (token !== undefined) post({ kind: 'ended', token, reason });
}

/** Ends the session in every tab and at the service. */
export function signOut(): void {
  const ended = session.isInForce ? session.current : null;
  endSession('signedOut');
  if (ended) void endAtService(ended);
}

/** Ends the session after the service rejected its token, unless a newer token is in use. */
export function rejectToken(token: string): void {
  if (session.isInForce && token === session.current?.token) endSession('expired');
}

/**
 * Call before the user's own password is rotated. The change stream, another request or another tab may find the token
 * revoked before the response with the new password arrives: until then, the tab does not ask for a sign-in.
 */
export function beginRotation(): void {
  rotation = window.setTimeout(failRotation, ROTATION_MS_MAX);
}

/** Call if the rotation failed. If the session has ended, the tab now asks for a sign-in. */
export function failRotation(): void {
  window.clearTimeout(rotation);
  rotation = undefined;
  if (session.isInForce || endReason !== 'rotated') return;
  endReason = 'expired';
  notify();
}

export const whyEnded = (): EndReason => endReason;

/** Requests a session from other open tabs if this tab has none, and waits briefly for a response. */
export function shareSession(): Promise<void> {
  if (session.current) return Promise.resolve();
  post({ kind: 'ask' });
  return new Promise((resolve) => {
    const waiting = window.setTimeout(finish, ANSWER_MS_MAX);
    const stop = onSessionChange(finish);
    function finish() {
      window.clearTimeout(waiting);
      stop();
      resolve();
    }
  });
}

/**
 * Returns the token for a request as soon as a session is valid.
 * @throws DOMException AbortError if the user signs out, or if the signal aborts
 */
export function tokenInForce(signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let stop = () => {};
    function settle() {
      const isOver = session.current === null || signal?.aborted;
      if (!isOver && !session.isInForce) return;
      stop();
      signal?.removeEventListener('abort', settle);
      if (isOver) reject(new DOMException('no user is signed in', 'AbortError'));
      else resolve(session.current!.token);
    }
    stop = onSessionChange(settle);
    signal?.addEventListener('abort', settle);
    settle();
  });
}

/** Calls `listener` when a session begins or ends. Returns a function that unregisters it. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session of the page, including an expired session that waits for the sign-in. */
export const useSession = (): Session | null => useSyncExternalStore(onSessionChange, () => session.current);

/** Whether requests wait until the user signs in again. */
export const useIsWaiting = (): boolean =>
  useSyncExternalStore(onSessionChange, () => session.current !== null && !session.isInForce);

/** Whether the user has a scope. The service enforces scopes; the console only hides actions that would fail. */
export const useMay = (scope: Scope): boolean => useSession()?.scopes.includes(scope) ?? false;

/** If the request does not arrive, the session ends at the service after its time without activity. */
async function endAtService({ id, token }: Session): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`/api/v3/sessions/${id}`, { method: 'DELETE', headers, keepalive: true }).catch(() => null);
}

function notify(): void {
  for (const listener of [...listeners]) listener();
}

function post(message: Message): void {
  tabs.postMessage(message);
}

function receive(message: Message): void {
  const { current, isInForce } = session;
  if (message.kind === 'ask') {
    if (current && isInForce) post({ kind: 'inForce', session: current });
  } else if (message.kind === 'ended') {
    endedToken = message.token;
    // Only the tab that shows the new password delays the sign-in.
    const reason = message.reason === 'rotated' ? 'expired' : message.reason;
    if (current?.token === message.token) end(reason);
  } else if (!isInForce && message.session.token !== endedToken) {
    const isOwn = current === null || current.username === message.session.username;
    if (isOwn && message.session.expiresAt > Date.now()) adopt(message.session);
  }
}

function adopt(begun: Session): void {
  // The next user must not see data of the previous one.
  if (session.current && session.current.username !== begun.username) end('signedOut');
  session.current = begun;
  session.isInForce = true;
  sessionStorage.setItem(KEY, JSON.stringify(begun));
  window.clearTimeout(timer);
  timer = window.setTimeout(() => endSession('expired'), begun.expiresAt - Date.now());
  notify();
}

function end(reason: EndReason): void {
  window.clearTimeout(timer);
  if (reason === 'signedOut') session.current = null;
  const isByRotation = rotation !== undefined || (!session.isInForce && endReason === 'rotated');
  if (reason !== 'expired') {
    window.clearTimeout(rotation);
    rotation = undefined;
  }
  session.isInForce = false;
  endReason = reason === 'expired' && isByRotation ? 'rotated' : reason;
  sessionStorage.removeItem(KEY);
  notify();
}

function stored(): Session | null {
  const kept: Session | null = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  if (kept === null || kept.expiresAt > Date.now()) return kept;
  endReason = 'expired';
  return null;
}

const sessionOf = ({ id, token, user, provider, scopes, expiresIn }: NewSession): Session => ({
  id,
  token,
  username: user,
  provider,
  scopes,
  expiresAt: Date.now() + expiresIn * 1000,
});
