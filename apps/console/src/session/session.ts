import { useSyncExternalStore } from 'react';

export type Role = 'admin' | 'analyst' | 'viewer';

export interface Session {
  token: string;
  username: string;
  role: Role;
  /** By this browser's clock, which may differ from the service's; epoch milliseconds. */
  expiresAt: number;
}

/** Why nobody is signed in: at first, by choice, or because the token ran out or was taken back. */
export type EndReason = 'none' | 'signedOut' | 'expired';

const KEY = 'posture-session';
const listeners = new Set<() => void>();
let endReason: EndReason = 'none';
let timer: number | undefined;

/** Who is signed in in this tab. It outlives a reload of the page, not the tab. */
export const session: { current: Session | null } = { current: stored() };
if (session.current) endAtExpiry(session.current);

export function beginSession(token: string): void {
  session.current = sessionOf(token);
  sessionStorage.setItem(KEY, JSON.stringify(session.current));
  endAtExpiry(session.current);
  tell();
}

export function endSession(reason: EndReason): void {
  window.clearTimeout(timer);
  session.current = null;
  endReason = reason;
  sessionStorage.removeItem(KEY);
  tell();
}

export const whyEnded = (): EndReason => endReason;

/** Calls back when somebody signs in or out. Answers how to stop that. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSession = (): Session | null => useSyncExternalStore(onSessionChange, () => session.current);

/** What the role may do (D25); the service decides, this only spares a click that would be refused. */
export function useMay(): { act: boolean; administer: boolean } {
  const role = useSession()?.role;
  return { act: role === 'admin' || role === 'analyst', administer: role === 'admin' };
}

function tell(): void {
  for (const listener of listeners) listener();
}

function endAtExpiry({ expiresAt }: Session): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => endSession('expired'), expiresAt - Date.now());
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
