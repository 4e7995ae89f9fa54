import { useSyncExternalStore } from 'react';

export type Role = 'admin' | 'analyst' | 'viewer';

export interface Session {
  token: string;
  username: string;
  role: Role;
  /** By this browser's clock, which may differ from the service's; epoch milliseconds. */
  expiresAt: number;
}

/**
 * Why no session is in force: at first, by choice, because the token expired or was revoked, or because its user has
 * rotated the password and is to see the new one before the sign-in.
 */
export type EndReason = 'none' | 'signedOut' | 'expired' | 'rotated';

/** What the tabs of this browser say to each other. It never leaves the origin, and no disk keeps it. */
type Message =
  | { kind: 'ask' }
  | { kind: 'inForce'; session: Session }
  | { kind: 'ended'; token: string; reason: EndReason };

const KEY = 'posture-session';
/** A tab that is open answers within some milliseconds; a suspended one does not. */
const ANSWER_MS_MAX = 300;
const listeners = new Set<() => void>();
const tabs = new BroadcastChannel(KEY);
let endReason: EndReason = 'none';
let endedToken: string | null = null;
let timer: number | undefined;

/**
 * Who is signed in in this tab. It survives a reload of the page, not the tab. After `expired` and `rotated` the user
 * and the page stay, `isInForce` is false, and requests wait for the next sign-in.
 */
export const session: { current: Session | null; isInForce: boolean } = { current: null, isInForce: false };
const kept = stored();
if (kept) adopt(kept);
tabs.onmessage = ({ data }: MessageEvent<Message>) => hear(data);

/** Signs in: this tab, and those that show the sign-in or an ended session of the same user. */
export function beginSession(token: string): void {
  const begun = sessionOf(token);
  adopt(begun);
  post({ kind: 'inForce', session: begun });
}

/** Ends the session in every tab. */
export function endSession(reason: EndReason): void {
  const token = session.current?.token;
  end(reason);
  if (token !== undefined) post({ kind: 'ended', token, reason });
}

/** The service has refused a token: unless another is in force already, the session has ended. */
export function refuseToken(token: string): void {
  if (session.isInForce && token === session.current?.token) endSession('expired');
}

export const whyEnded = (): EndReason => endReason;

/** Asks the open tabs for their session if this one has none, and waits a moment for the answer. */
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
 * The token to send a request with, once a session is in force.
 * @throws DOMException AbortError if the user signs out instead, and when the signal aborts
 */
export function tokenInForce(signal?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let stop = () => {};
    function settle() {
      const isOver = session.current === null || signal?.aborted;
      if (!isOver && !session.isInForce) return;
      stop();
      signal?.removeEventListener('abort', settle);
      if (isOver) reject(new DOMException('nobody is signed in', 'AbortError'));
      else resolve(session.current!.token);
    }
    stop = onSessionChange(settle);
    signal?.addEventListener('abort', settle);
    settle();
  });
}

/** Calls back when a session begins or ends. Returns how to stop that. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whose page this is: also while an ended session waits for its user. */
export const useSession = (): Session | null => useSyncExternalStore(onSessionChange, () => session.current);

/** Whether requests wait for the user to sign in again. */
export const useIsWaiting = (): boolean =>
  useSyncExternalStore(onSessionChange, () => session.current !== null && !session.isInForce);

/** What the role may do (D25); the service decides, this only spares a click that would be refused. */
export function useMay(): { act: boolean; administer: boolean } {
  const role = useSession()?.role;
  return { act: role === 'admin' || role === 'analyst', administer: role === 'admin' };
}

function tell(): void {
  for (const listener of [...listeners]) listener();
}

function post(message: Message): void {
  tabs.postMessage(message);
}

function hear(message: Message): void {
  const { current, isInForce } = session;
  if (message.kind === 'ask') {
    if (current && isInForce) post({ kind: 'inForce', session: current });
  } else if (message.kind === 'ended') {
    endedToken = message.token;
    // Only the tab that shows the new password waits with the sign-in.
    const reason = message.reason === 'rotated' ? 'expired' : message.reason;
    if (current?.token === message.token) end(reason);
  } else if (!isInForce && message.session.token !== endedToken) {
    const isOwn = current === null || current.username === message.session.username;
    if (isOwn && message.session.expiresAt > Date.now()) adopt(message.session);
  }
}

function adopt(begun: Session): void {
  // What one user saw is not for the next.
  if (session.current && session.current.username !== begun.username) end('signedOut');
  session.current = begun;
  session.isInForce = true;
  sessionStorage.setItem(KEY, JSON.stringify(begun));
  window.clearTimeout(timer);
  timer = window.setTimeout(() => endSession('expired'), begun.expiresAt - Date.now());
  tell();
}

function end(reason: EndReason): void {
  window.clearTimeout(timer);
  if (reason === 'signedOut') session.current = null;
  session.isInForce = false;
  endReason = reason;
  sessionStorage.removeItem(KEY);
  tell();
}

function stored(): Session | null {
  const kept: Session | null = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
  if (kept === null || kept.expiresAt > Date.now()) return kept;
  endReason = 'expired';
  return null;
}

/** The token says who it speaks for, and for how long; the service alone checks that it is genuine. */
function sessionOf(token: string): Session {
  const [, body = ''] = token.split('.');
  const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const { name, role, iat, exp } = JSON.parse(new TextDecoder().decode(bytes));
  return { token, username: name, role, expiresAt: Date.now() + (exp - iat) * 1000 };
}
