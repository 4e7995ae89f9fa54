import { QueryClient } from '@tanstack/react-query';
import { onSessionChange, session } from '../session/session.ts';

const FRESH_MS = 30_000;
const RETRIES_MAX = 2;

const RETRY_MS = 1_000;

type Refusal = { statusCode?: number; retryIn?: number };

/** Refusals are final; what never answered, or has too much to do, is asked again. */
function isWorthRetry(error: unknown): boolean {
  const { statusCode = 0 } = error as Refusal;
  return error instanceof Error || statusCode === 429 || statusCode >= 500;
}

/** When the service says, or soon. */
const retryDelay = (failures: number, error: unknown): number =>
  ((error as Refusal).retryIn ?? 0) * 1000 || RETRY_MS * 2 ** failures;

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

// What one user saw is not for the next.
onSessionChange(() => session.current ?? queryClient.clear());
