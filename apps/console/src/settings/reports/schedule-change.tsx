import { t } from '@lingui/core/macro';
import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { bodyOf, fieldsOf, ScheduleForm } from './schedule-form.tsx';

export function ScheduleChange({
  of,
  onSecret,
  onClose,
}: {
  of: Api['ReportScheduleDto'];
  onSecret: (secret: string) => void;
  onClose: () => void;
}) {
  const { id, version } = of;
  const change = api.useMutation('patch', '/api/v3/report-schedules/{id}', {
    onSuccess: (changed) => {
      void settled(changed, t`The report schedule was changed.`);
      if (changed.webhookSecret === null) onClose();
      else onSecret(changed.webhookSecret);
    },
  });
  return (
    <ScheduleForm
      title={t`Change the report schedule`}
      act={t`Change`}
      draft={`report schedule ${id} ${version}`}
      initial={fieldsOf(of)}
      isNew={false}
      error={change.error}
      isBusy={change.isPending}
      onSubmit={(given) => change.mutate({ params: { path: { id } }, body: { ...bodyOf(given), version } })}
      onClose={onClose}
    />
  );
}
