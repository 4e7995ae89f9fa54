import { type Api, api, type Failure } from '../../api/client.ts';
import { settled } from '../act.ts';
import { Confirmation } from '../confirmation.tsx';
import { Notice } from '../notice.tsx';

/** Tries to remove the field. If assets have values, the service rejects it, and the user must confirm. */
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
        `${field.name} was removed.${count > 0 ? ` ${assets(count)} ${count === 1 ? 'keeps its value' : 'keep their values'}.` : ''}`,
      );
    },
  });
  const count = countOf(remove.error);
  return (
    <Confirmation
      title={`Remove ${field.name}?`}
      act={count === null ? 'Remove' : 'Remove anyway'}
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
        <>New tags with this name become plain tags.</>
      ) : (
        <Notice
          color="orange"
          role="alert"
          title={`${assets(count)} ${count === 1 ? 'has' : 'have'} a value of ${field.name}`}
        >
          The assets keep their values. New tags do not change them.
        </Notice>
      )}
    </Confirmation>
  );
}

const assets = (count: number) => (count === 1 ? 'One asset' : `${count.toLocaleString()} assets`);

/** Number of assets with a value, if the service rejected the removal because of them. */
function countOf(error: Failure | null): number | null {
  if (error === null || error instanceof Error || error.statusCode !== 409) return null;
  const [, count] = /^(\d+) assets/.exec(error.message) ?? [];
  return count === undefined ? null : Number(count);
}
