import { t } from '@lingui/core/macro';
import type { Failure } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { sentenceOf } from '../parts/states.tsx';
import { isStale } from '../settings/act.ts';

/** After the error of an act: the plan that another user changed is read again, so that the act can be repeated. */
export function refreshIfStale(error: Failure): void {
  if (!isStale(error)) return;
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [, path] }) => String(path).startsWith('/api/v3/plans'),
  });
}

export const planErrorText = (error: Failure): string =>
  isStale(error)
    ? t`Another user changed this plan. The page now shows the change: check it, then try again.`
    : sentenceOf(error);
