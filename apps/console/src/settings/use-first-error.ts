import { useEffect, useRef } from 'react';

/**
 * Shows the first thing that is wrong, and moves the focus there: a form can be longer than the window.
 * @param problem what the last attempt failed for; null: nothing
 */
export function useFirstError<Part extends HTMLElement>(problem: unknown) {
  const part = useRef<Part>(null);
  useEffect(() => {
    if (problem === null) return;
    const first = part.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]');
    if (!first) return;
    // A message takes the focus too, but not by Tab.
    if (first.role === 'alert') first.tabIndex = -1;
    first.scrollIntoView({ block: 'center' });
    first.focus();
  }, [problem]);
  return part;
}
