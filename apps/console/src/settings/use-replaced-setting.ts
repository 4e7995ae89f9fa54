import { useState } from 'react';
import { type Api, api } from '../api/client.ts';
import { isStale, settled } from './act.ts';
import { useDraft, type Versioned } from './use-draft.ts';

type Settings = Api['SettingsDto'];

/** A setting that a change replaces as a whole: the user changes a draft, then saves it, or removes the setting. */
export function useReplacedSetting<Draft extends Versioned>({
  stored,
  reread,
  setting,
  outcomes,
}: {
  stored: Draft;
  reread: () => Promise<Settings | undefined>;
  setting: 'loss' | 'sla';
  /** Sentences for the user. */
  outcomes: { saved: string; removed: string };
}) {
  const { draft, from, change, discard, rebase } = useDraft(setting, stored);
  const [isRemoving, setRemoving] = useState(false);
  const save = api.useMutation('patch', '/api/v3/settings', {
    onSuccess: async (answer) => {
      await settled(answer, isRemoving ? outcomes.removed : outcomes.saved);
      discard();
      setRemoving(false);
    },
    onError: async (error) => {
      if (!isStale(error)) return;
      // The error reports the concurrent change.
      const now = await reread();
      if (now) rebase(now.version);
    },
  });
  return {
    draft,
    from,
    change: (part: Partial<Draft>) => change((now) => ({ ...now, ...part })),
    discard: () => {
      discard();
      save.reset();
    },
    save,
    isRemoving,
    setRemoving: (isAsked: boolean) => {
      save.reset();
      setRemoving(isAsked);
    },
  };
}
