import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api, type Failure } from '../api/client.ts';
import { keepDraft } from '../parts/drafts.ts';
import type { FindingState } from '../parts/state.tsx';

type Finding = Api['FindingDto'];
type Done = Finding | Api['PendingActDto'];

export interface FindingAct {
  /** The finding that the user decides on. */
  seen: Finding;
  /** The finding has changed since then. */
  hasChanged: boolean;
  /** Continues with the current state of the finding. */
  continueWithCurrent: () => void;
  failure: Failure | null;
  isBusy: boolean;
  accept: (body: Omit<Api['AcceptFindingDto'], 'version'>) => void;
  revert: (body: Omit<Api['RevertFindingDto'], 'version'>) => void;
}

/**
 * An action on a finding at its displayed version. If the finding has changed, the service rejects the action.
 * @param draft text of the action, which is removed when the action is done
 */
export function useFindingAct(finding: Finding, draft: string, onDone: () => void): FindingAct {
  const queryClient = useQueryClient();
  const [seen, setSeen] = useState(finding);
  const refresh = () =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [, path] }) => /^\/api\/v3\/(findings|assets|scores|audit)/.test(String(path)),
      refetchType: 'active',
    });
  const options = {
    onSuccess: (done: Done) => {
      notifications.show(outcomeOf(done));
      keepDraft(draft, '');
      void refresh();
    },
    onError: () => void refresh(),
  };
  const accepting = api.useMutation('post', '/api/v3/findings/{id}/accept', options);
  const reverting = api.useMutation('post', '/api/v3/findings/{id}/revert', options);
  const params = { path: { id: finding.id } };
  // Not called if the user has left the page.
  const after = { onSuccess: onDone };
  return {
    seen,
    hasChanged: finding.version !== seen.version,
    continueWithCurrent: () => {
      setSeen(finding);
      accepting.reset();
      reverting.reset();
    },
    failure: accepting.error ?? reverting.error,
    isBusy: accepting.isPending || reverting.isPending,
    accept: (body) => accepting.mutate({ params, body: { ...body, version: seen.version } }, after),
    revert: (body) => reverting.mutate({ params, body: { ...body, version: seen.version } }, after),
  };
}

const outcomeOf = (done: Done) =>
  'state' in done
    ? { color: 'teal', message: doneText(done) }
    : { color: 'blue', message: t`Accepted. The change takes effect shortly.` };

function doneText({ name, state }: Finding): string {
  const sentences: Record<FindingState, string> = {
    Failed: t`${name} is now failed.`,
    Qualified: t`${name} is now qualified.`,
    NotAssessed: t`${name} is now not assessed.`,
    AcceptedFailed: t`${name} is now accepted.`,
    Retired: t`${name} is now retired.`,
  };
  return sentences[state];
}
