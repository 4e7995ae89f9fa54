import { useNotifications } from '@mantine/notifications';
import { Suspense } from 'react';
import { retryableLazy } from './retryable-lazy.tsx';

const Shown = retryableLazy(async () => (await import('./shown-notices.tsx')).ShownNotices);

/** Notices about acts, in the corner. Their program loads with the first one. */
export const Notices = () =>
  useNotifications().notifications.length > 0 && (
    <Suspense>
      <Shown />
    </Suspense>
  );
