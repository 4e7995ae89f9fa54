import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
  const { name } = field;
  const remove = api.useMutation('delete', '/api/v3/custom-fields/{id}', {
    onSuccess: (answer) => {
      onClose();
      const removed = t`${name} was removed.`;
      const assets = 'assets' in answer ? answer.assets : 0;
      void settled(answer, assets === 0 ? removed : `${removed} ${keptText(assets)}`);
    },
  });
  const count = countOf(remove.error);
  return (
    <Confirmation
      title={t`Remove ${name}?`}
      act={count === null ? t`Remove` : t`Remove anyway`}
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
        <Trans>New tags with this name become plain tags.</Trans>
      ) : (
        <Notice
          color="orange"
          role="alert"
          title={plural(count, {
            one: `One asset has a value of ${name}`,
            other: `# assets have a value of ${name}`,
          })}
        >
          <Trans>The assets keep their values. New tags do not change them.</Trans>
        </Notice>
      )}
    </Confirmation>
  );
}

const keptText = (assets: number): string =>
  plural(assets, { one: 'One asset keeps its value.', other: '# assets keep their values.' });

/** Number of assets with a value, if the service rejected the removal because of them. */
function countOf(error: Failure | null): number | null {
  if (error === null || error instanceof Error || error.statusCode !== 409) return null;
  const [, count] = /^(\d+) assets/.exec(error.message) ?? [];
  return count === undefined ? null : Number(count);
}
