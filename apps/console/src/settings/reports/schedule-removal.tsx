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
      void settled(removed, 'The report schedule was removed.');
    },
  });
  return (
    <Confirmation
      title="Remove the report schedule?"
      act="Remove"
      isBusy={remove.isPending}
      error={remove.error}
      onAct={() => remove.mutate({ params: { path: { id } } })}
      onClose={onClose}
    >
      {name} is not sent any more. Its recipients and the records of its deliveries are deleted.
    </Confirmation>
  );
}
