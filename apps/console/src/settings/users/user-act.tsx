import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';

export type UserActKind = 'disable' | 'enable' | 'delete';

const WORDS: Record<UserActKind, { act: string; done: string; explanation: string }> = {
  disable: {
    act: 'Disable',
    done: 'was disabled',
    explanation: 'All sessions of the user end, and the user can no longer sign in.',
  },
  enable: { act: 'Enable', done: 'was enabled', explanation: 'The user can sign in again.' },
  delete: {
    act: 'Delete',
    done: 'was deleted',
    explanation:
      'All sessions of the user end. If the user signs in again, the user is created again: disable users who must not return. Actions of the user remain in the audit trail.',
  },
};

export function UserAct({
  act,
  of: { id, name },
  onClose,
}: {
  act: UserActKind;
  of: Api['UserDto'];
  onClose: () => void;
}) {
  const words = WORDS[act];
  const onSuccess = (answer: unknown) => {
    onClose();
    void settled(answer, `${name} ${words.done}.`);
  };
  const change = api.useMutation('patch', '/api/v3/users/{id}', { onSuccess });
  const remove = api.useMutation('delete', '/api/v3/users/{id}', { onSuccess });
  const params = { path: { id } };
  return (
    <Confirmation
      title={`${words.act} ${name}?`}
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
