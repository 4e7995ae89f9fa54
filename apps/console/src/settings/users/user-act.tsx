import { t } from '@lingui/core/macro';
import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';

export type UserActKind = 'disable' | 'enable' | 'delete';

interface Words {
  title: string;
  /** Label of the button. */
  act: string;
  done: string;
  explanation: string;
}

/** @param name of the user */
const wordsFor = (name: string): Record<UserActKind, Words> => ({
  disable: {
    title: t`Disable ${name}?`,
    act: t`Disable`,
    done: t`${name} was disabled.`,
    explanation: t`All sessions of the user end, and the user can no longer sign in.`,
  },
  enable: {
    title: t`Enable ${name}?`,
    act: t`Enable`,
    done: t`${name} was enabled.`,
    explanation: t`The user can sign in again.`,
  },
  delete: {
    title: t`Delete ${name}?`,
    act: t`Delete`,
    done: t`${name} was deleted.`,
    explanation: t`All sessions of the user end. If the user signs in again, the user is created again: disable users who must not return. Actions of the user remain in the audit trail.`,
  },
});

export function UserAct({
  act,
  of: { id, name },
  onClose,
}: {
  act: UserActKind;
  of: Api['UserDto'];
  onClose: () => void;
}) {
  const words = wordsFor(name)[act];
  const onSuccess = (answer: unknown) => {
    onClose();
    void settled(answer, words.done);
  };
  const change = api.useMutation('patch', '/api/v3/users/{id}', { onSuccess });
  const remove = api.useMutation('delete', '/api/v3/users/{id}', { onSuccess });
  const params = { path: { id } };
  return (
    <Confirmation
      title={words.title}
      act={words.act}
      isBusy={change.isPending || remove.isPending}
      error={change.error ?? remove.error}
      onAct={() =>
        act === 'delete'
          ? remove.mutate({ params })
          : change.mutate({ params, body: { isActive: act === 'enable' } })
      }
      onClose={onClose}
    >
      {words.explanation}
    </Confirmation>
  );
}
