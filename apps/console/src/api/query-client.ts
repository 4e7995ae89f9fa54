import { QueryClient } from '@tanstack/react-query';
import { onSessionChange } from '../session/session.ts';

const FRESH_MS = 30_000;
const RETRIES_MAX = 2;

/** Refusals are final; what never answered is asked again. */
const isWorthRetry = (error: unknown): boolean =>
  error instanceof Error || ((error as { statusCode?: number }).statusCode ?? 0) >= 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < RETRIES_MAX && isWorthRetry(error),
    },
    mutations: { retry: false },
  },
});

// What one user saw is not for the next.
onSessionChange(() => queryClient.clear());
