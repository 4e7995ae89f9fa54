import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { session, updateSession } from './session.ts';

/** The shortest time without activity after which a session ends is 5 minutes. */
const EXTENSION_MS_MIN = 60_000;
const ACTIVITIES = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const;
const LISTENER = { capture: true, passive: true };

/** Extends the session while the user is active. Refreshes and the change stream of an unattended page do not. */
export function useExtension(): void {
  useEffect(() => {
    const onActivity = () => {
      const { current, isInForce } = session;
      if (isInForce && current && Date.now() - current.reportedAt >= EXTENSION_MS_MIN) void extendSession();
    };
    for (const activity of ACTIVITIES) window.addEventListener(activity, onActivity, LISTENER);
    return () => {
      for (const activity of ACTIVITIES) window.removeEventListener(activity, onActivity, LISTENER);
    };
  }, []);
}

let isExtending = false;

/** A failure has no message: the next activity tries again, and the warning remains. */
export async function extendSession(): Promise<void> {
  const token = session.current?.token;
  if (isExtending || token === undefined) return;
  isExtending = true;
  try {
    const { data } = await client.POST('/api/v3/session/extend');
    if (data) updateSession(token, data);
  } catch {
    // Not reachable, or signed out.
  } finally {
    isExtending = false;
  }
}
