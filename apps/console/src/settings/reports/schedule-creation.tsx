import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { settled } from '../act.ts';
import { bodyOf, newFields, ScheduleForm } from './schedule-form.tsx';

export function ScheduleCreation({
  onSecret,
  onClose,
}: {
  onSecret: (secret: string) => void;
  onClose: () => void;
}) {
  const [initial] = useState(newFields);
  const add = api.useMutation('post', '/api/v3/report-schedules', {
    onSuccess: (made) => {
      void settled(made, t`The report schedule was added.`);
      if (made.webhookSecret === null) onClose();
      else onSecret(made.webhookSecret);
    },
  });
  return (
    <ScheduleForm
      title={t`Add a report schedule`}
      act={t`Add`}
      draft="new report schedule"
      initial={initial}
      isNew
      error={add.error}
      isBusy={add.isPending}
      onSubmit={(given) =>
        add.mutate({ body: { ...bodyOf(given), report: given.report } as Api['AddReportScheduleDto'] })
      }
      onClose={onClose}
    />
  );
}
