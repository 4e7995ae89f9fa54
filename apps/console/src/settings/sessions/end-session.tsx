import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';
import { deviceOf } from './device.ts';

export function EndSession({
  of: { id, user, userAgent, address },
  onClose,
}: {
  of: Api['SessionDto'];
  onClose: () => void;
}) {
  const end = api.useMutation('delete', '/api/v3/sessions/{id}', {
    onSuccess: (answer) => {
      onClose();
      void settled(answer, `The session of ${user} was ended.`);
    },
  });
  return (
    <Confirmation
      title="End this session?"
      act="End the session"
      isBusy={end.isPending}
      error={end.error}
      onAct={() => end.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      {deviceOf(userAgent)} at {address} is signed out within a second, and {user} can sign in again. To
      prevent that, delete the credential, or remove the groups of the user at the identity provider.
    </Confirmation>
  );
}

export function EndOthers({ onClose }: { onClose: () => void }) {
  const end = api.useMutation('post', '/api/v3/sessions/end-others', {
    onSuccess: (answer) => {
      onClose();
      const { ended } = answer;
      void settled(answer, ended === 1 ? 'One session was ended.' : `${ended} sessions were ended.`);
    },
  });
  return (
    <Confirmation
      title="End all your other sessions?"
      act="End the sessions"
      isBusy={end.isPending}
      error={end.error}
      onAct={() => end.mutate({})}
      onClose={onClose}
    >
      All your other browsers are signed out within a second. This session continues.
    </Confirmation>
  );
}
