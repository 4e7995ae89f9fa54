import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { changedFields } from '../../parts/changed-fields.ts';
import { sentenceOf } from '../../parts/states.tsx';
import { refreshIfStale, settled } from '../act.ts';
import { bodyOf, fieldsOf, ScheduleForm } from './schedule-form.tsx';

const CHOSEN_BY_ANOTHER = /must be given again/;

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
  const initial = fieldsOf(of);
  const [areRecipientsOwn, setRecipientsOwn] = useState(false);
  const change = api.useMutation('patch', '/api/v3/report-schedules/{id}', {
    onSuccess: (changed) => {
      void settled(changed, t`The report schedule was changed.`);
      if (changed.webhookSecret === null) onClose();
      else onSecret(changed.webhookSecret);
    },
    onError: refreshIfStale,
  });
  return (
    <ScheduleForm
      title={t`Change the report schedule`}
      act={t`Change`}
      draft={`report schedule ${id} ${version}`}
      initial={initial}
      isNew={false}
      error={change.error}
      isBusy={change.isPending}
      onSubmit={(given) => {
        const { email, webhook, ...fields } = bodyOf(given);
        // What the body contains counts as chosen by the user, who may see more than the owner (R-SEND-5).
        const channels = areRecipientsOwn
          ? { email, webhook }
          : changedFields({ email, webhook }, bodyOf(initial));
        change.mutate({ params: { path: { id } }, body: { ...fields, ...channels, version } });
      }}
      onClose={onClose}
    >
      {(areRecipientsOwn || (change.error && CHOSEN_BY_ANOTHER.test(sentenceOf(change.error)))) && (
        <Checkbox
          label={t`Send these recipients all that I may see`}
          checked={areRecipientsOwn}
          onChange={({ currentTarget }) => setRecipientsOwn(currentTarget.checked)}
        />
      )}
    </ScheduleForm>
  );
}
