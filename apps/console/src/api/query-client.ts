import { QueryClient } from '@tanstack/react-query';
import { onSessionChange, session } from '../session/session.ts';

const FRESH_MS = 30_000;
const RETRIES_MAX = 2;

const RETRY_MS = 1_000;

type Rejection = { statusCode?: number; retryIn?: number };

/** Whether to retry: after connection errors, 429 and 5xx. Other errors are final. */
function isWorthRetry(error: unknown): boolean {
  const { statusCode = 0 } = error as Rejection;
  return error instanceof Error || statusCode === 429 || statusCode >= 500;
}

/** Delay requested by the service, or exponential back-off. */
const retryDelay = (failures: number, error: unknown): number =>
  ((error as Rejection).retryIn ?? 0) * 1000 || RETRY_MS * 2 ** failures;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < RETRIES_MAX && isWorthRetry(error),
      retryDelay,
    },
    mutations: { retry: false },
  },
});

// The next user must not see cached data.
onSessionChange(() => session.current ?? queryClient.clear());
