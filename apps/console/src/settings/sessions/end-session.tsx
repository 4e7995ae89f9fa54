import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
  const device = deviceOf(userAgent);
  const end = api.useMutation('delete', '/api/v3/sessions/{id}', {
    onSuccess: (answer) => {
      onClose();
      void settled(answer, t`The session of ${user} was ended.`);
    },
  });
  return (
    <Confirmation
      title={t`End this session?`}
      act={t`End the session`}
      isBusy={end.isPending}
      error={end.error}
      onAct={() => end.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      <Trans>
        <bdi>{device}</bdi> at <bdi>{address}</bdi> is signed out within a second, and <bdi>{user}</bdi> can
        sign in again. To prevent that, delete the credential, or remove the groups of the user at the
        identity provider.
      </Trans>
    </Confirmation>
  );
}

export function EndOthers({ onClose }: { onClose: () => void }) {
  const end = api.useMutation('post', '/api/v3/sessions/end-others', {
    onSuccess: (answer) => {
      onClose();
      void settled(
        answer,
        plural(answer.ended, { one: 'One session was ended.', other: '# sessions were ended.' }),
      );
    },
  });
  return (
    <Confirmation
      title={t`End all your other sessions?`}
      act={t`End the sessions`}
      isBusy={end.isPending}
      error={end.error}
      onAct={() => end.mutate({})}
      onClose={onClose}
    >
      <Trans>All your other browsers are signed out within a second. This session continues.</Trans>
    </Confirmation>
  );
}
