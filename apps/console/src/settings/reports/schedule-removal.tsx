import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';

export function ScheduleRemoval({
  of: { id, name },
  onClose,
}: {
  of: Api['ReportScheduleDto'];
  onClose: () => void;
}) {
  const remove = api.useMutation('delete', '/api/v3/report-schedules/{id}', {
    onSuccess: (removed) => {
      onClose();
      void settled(removed, t`The report schedule was removed.`);
    },
  });
  const schedule = <bdi>{name}</bdi>;
  return (
    <Confirmation
      title={t`Remove the report schedule?`}
      act={t`Remove`}
      isBusy={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      <Trans>
        {schedule} is not sent any more. Its recipients and the records of its deliveries are deleted.
      </Trans>
    </Confirmation>
  );
}
