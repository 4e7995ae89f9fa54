import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { unstable_usePrompt as usePrompt } from 'react-router';

/** The browser asks for confirmation before a window with unsaved changes is closed, reloaded, or shows another page. */
export function useWarningBeforeLeaving(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
  usePrompt({
    // With another time or filter, it is the same page.
    when: ({ currentLocation, nextLocation }) =>
      isUnsaved && currentLocation.pathname !== nextLocation.pathname,
    message: t`Leave this page? Changes that are not saved may be lost.`,
  });
}
