import { useSyncExternalStore } from 'react';
import type { components } from '../api/schema.ts';
import { claimDrafts, removeDrafts } from '../parts/drafts.ts';
import type { Scope } from './scope.ts';

export type NewSession = components['schemas']['NewSessionDto'];
type OwnSession = components['schemas']['OwnSessionDto'];

export interface Session {
  id: string;
  token: string;
  username: string;
  /** Id of the identity provider; null: user name and password. */
  provider: string | null;
  scopes: readonly Scope[];
  /**
   * When the session ends unless it is extended, when it ends in any case, and when the service last reported both. By the
   * browser clock, which may differ from the clock of the service; epoch milliseconds.
   */
  expiresAt: number;
  endsAt: number;
  reportedAt: number;
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
  | { kind: 'adopted'; token: string }
  | { kind: 'ended'; token: string; reason: EndReason };

/** A tab that is still open since an earlier version has a session of another form under `posture-session`. */
const KEY = 'posture-session-2';
/** WCAG 2.2.1: a user has at least 20 seconds to react. */
const WARNING_MS = 120_000;
/** Open tabs respond within milliseconds; suspended tabs do not respond. */
const ANSWER_MS_MAX = 300;
/** A window that hands over its session waits so long for a tab that adopts it. */
const HAND_OVER_MS_MAX = 2_000;
/** After this time without a response, a rotation counts as failed. */
const ROTATION_MS_MAX = 10_000;
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel(KEY);
let endReason: EndReason = 'none';
let endedToken: string | null = null;
let endedProvider: string | null = null;
let handingOver: { token: string; resolve: (isAdopted: boolean) => void } | undefined;
let expiry: number | undefined;
let warning: number | undefined;
let rotation: number | undefined;

/**
 * The session of this tab. It survives a reload, but ends with the tab. After `expired` and `rotated` the user and the
 * page remain, `isInForce` is false, and requests wait for the next sign-in.
 */
export const session: { current: Session | null; isInForce: boolean; isExpiring: boolean } = {
  current: null,
  isInForce: false,
  isExpiring: false,
};
const kept = stored();
if (kept) adopt(kept);
tabs.onmessage = ({ data }: MessageEvent<Message>) => receive(data);

/** Signs in this tab, and tabs that show the sign-in page or an expired session of the same user. */
export function beginSession(answer: NewSession): void {
  const begun = sessionOf(answer);
  adopt(begun);
  post({ kind: 'inForce', session: begun });
}

/** Applies what the service reports about the session in use, in every tab. */
export function updateSession(token: string, answer: OwnSession): void {
  if (!session.isInForce || session.current?.token !== token) return;
  const updated = sessionOf({ ...answer, token });
  adopt(updated);
  post({ kind: 'inForce', session: updated });
}

/**
 * Offers a new session to tabs that wait for the sign-in of its user, or show the sign-in page.
 * @returns whether one has adopted it; otherwise the session is not in use anywhere
 */
export function handOver(answer: NewSession): Promise<boolean> {
  const begun = sessionOf(answer);
  return new Promise((resolve) => {
    handingOver = { token: begun.token, resolve };
    post({ kind: 'inForce', session: begun });
    window.setTimeout(() => resolve(false), HAND_OVER_MS_MAX);
  });
}

/** Closes the warning; the session still ends. */
export function dismissWarning(): void {
  session.isExpiring = false;
  notify();
}

/** Ends the session in every tab. */
export function endSession(reason: EndReason): void {
  const token = session.current?.token;
  end(reason);
  if (token === undefined) return;
  endedToken = token;
  post({ kind: 'ended', token, reason });
}

/**
 * Ends the session in every tab and at the service.
 * @returns whether the service has ended it; otherwise it ends after its time without activity
 */
export async function signOut(): Promise<boolean> {
  const ended = session.isInForce ? session.current : null;
  endSession('signedOut');
  if (ended === null) return true;
  const headers = { authorization: `Bearer ${ended.token}` };
  const request = { method: 'DELETE', headers, keepalive: true };
  const response = await fetch(`/api/v3/sessions/${ended.id}`, request).catch(() => null);
  return response !== null && (response.ok || response.status === 401);
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

/** Identity provider of the user who has signed out. */
export const whereEnded = (): string | null => endedProvider;

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

/** Whether the session ends soon, and the user has not dismissed the warning. */
export const useIsExpiring = (): boolean => useSyncExternalStore(onSessionChange, () => session.isExpiring);

/** Whether a dialog about the session is above everything else. It handles the keys. */
export const useIsCovered = (): boolean => {
  const isWaiting = useIsWaiting();
  return useIsExpiring() || isWaiting;
};

/** Whether the user has a scope. The service enforces scopes; the console only hides actions that would fail. */
export const useMay = (scope: Scope): boolean => useSession()?.scopes.includes(scope) ?? false;

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
  } else if (message.kind === 'adopted') {
    if (handingOver?.token === message.token) handingOver.resolve(true);
  } else if (isWanted(message.session)) {
    adopt(message.session);
    post({ kind: 'adopted', token: message.session.token });
  }
}

/** A session for this tab, which has none in force, or later news of the session in force. */
function isWanted({ token, username, expiresAt, reportedAt }: Session): boolean {
  const { current, isInForce } = session;
  if (token === endedToken || expiresAt <= Date.now()) return false;
  if (isInForce) return current?.token === token && reportedAt > current.reportedAt;
  return current === null || current.username === username;
}

function adopt(begun: Session): void {
  // The next user must not see data of the previous one.
  if (session.current && session.current.username !== begun.username) end('signedOut');
  claimDrafts(begun.username);
  session.current = begun;
  session.isInForce = true;
  sessionStorage.setItem(KEY, JSON.stringify(begun));
  stopTimers();
  const leftMs = begun.expiresAt - Date.now();
  session.isExpiring = leftMs <= WARNING_MS;
  if (!session.isExpiring) warning = window.setTimeout(warn, leftMs - WARNING_MS);
  expiry = window.setTimeout(expire, leftMs);
  notify();
}

function warn(): void {
  session.isExpiring = true;
  notify();
}

/** Only in this tab. Another tab may have extended the session while this one was suspended: it answers with it. */
function expire(): void {
  end('expired');
  post({ kind: 'ask' });
}

function stopTimers(): void {
  window.clearTimeout(warning);
  window.clearTimeout(expiry);
}

function end(reason: EndReason): void {
  stopTimers();
  if (reason === 'signedOut') {
    removeDrafts();
    endedProvider = session.current?.provider ?? null;
    session.current = null;
  }
  const isByRotation = rotation !== undefined || (!session.isInForce && endReason === 'rotated');
  if (reason !== 'expired') {
    window.clearTimeout(rotation);
    rotation = undefined;
  }
  session.isInForce = false;
  session.isExpiring = false;
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

function sessionOf({ id, token, user, provider, scopes, expiresIn, ...times }: NewSession): Session {
  const reportedAt = Date.now();
  const expiresAt = reportedAt + expiresIn * 1000;
  const endsAt = expiresAt + Date.parse(times.endsAt) - Date.parse(times.expiresAt);
  return { id, token, username: user, provider, scopes, expiresAt, endsAt, reportedAt };
}
