import { type Api, api, type Failure } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';
import { Notice } from '../notice.tsx';

/** Asks the service first: where assets have values it refuses, and says how many. */
export function CustomFieldRemoval({
  field,
  onClose,
}: {
  field: Api['CustomFieldDto'];
  onClose: () => void;
}) {
  const remove = api.useMutation('delete', '/api/v3/custom-fields/{id}', {
    onSuccess: (answer) => {
      onClose();
      const count = 'assets' in answer ? answer.assets : 0;
      void settled(
        answer,
        `${field.name} is removed.${count > 0 ? ` ${assets(count)} ${count === 1 ? 'keeps' : 'keep'} a value of it.` : ''}`,
      );
    },
  });
  const count = countOf(remove.error);
  return (
    <Confirmation
      title={`Remove ${field.name}?`}
      act={count === null ? 'Remove' : 'Remove nevertheless'}
      isBusy={remove.isPending}
      error={count === null ? remove.error : null}
      onAct={() =>
        remove.mutate({
          params: { path: { id: field.id }, query: count === null ? {} : { force: 'true' } },
        })
      }
      onClose={onClose}
    >
      {count === null ? (
        <>Later tags of this name will be plain tags.</>
      ) : (
        <Notice
          color="orange"
          role="alert"
          title={`${assets(count)} ${count === 1 ? 'has' : 'have'} a value of ${field.name}`}
        >
          They keep it, and no later tag changes it.
        </Notice>
      )}
    </Confirmation>
  );
}

const assets = (count: number) => (count === 1 ? 'One asset' : `${count.toLocaleString()} assets`);

/** How many assets have a value, where that is why it was refused. */
function countOf(error: Failure | null): number | null {
  if (error === null || error instanceof Error || error.statusCode !== 409) return null;
  const [, count] = /^(\d+) assets/.exec(error.message) ?? [];
  return count === undefined ? null : Number(count);
}
