import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api, type Failure } from '../../api/client.ts';
import { Answered } from '../../parts/states.tsx';
import { useWarningBeforeLeaving } from '../../parts/use-warning-before-leaving.ts';
import { isStale, ON_ENTRY, settled, useMayChange } from '../act.ts';
import { DraftFields } from '../draft-fields.tsx';
import { FormError } from '../form-error.tsx';
import { type Move, useFocusOnMove } from '../move-buttons.tsx';
import { moved, newId, placed, type RowActs } from '../ordered-rows.ts';
import { SaveBar } from '../save-bar.tsx';
import { useDraft } from '../use-draft.ts';
import { firstMatch } from './first-match.ts';
import { changeCount, type Draft, mappingOf, type Row, readMapping } from './mapping.ts';
import { generalErrorOf, rowErrorsOf } from './mapping-errors.ts';
import { type Edited, MappingRowForm } from './mapping-row-form.tsx';
import { MappingTable } from './mapping-table.tsx';
import { MappingTest } from './mapping-test.tsx';

const PATH = '/settings/os-to-safe-asset-type-mapping';

export default function OsMapping() {
  const query = useQuery<Draft, Failure>({
    queryKey: ['get', PATH, 'with version'],
    queryFn: ({ signal }) => readMapping(signal),
    ...ON_ENTRY,
  });
  return (
    <Answered query={query} waiting={<Skeleton height={600} />}>
      {(stored) => <Editor stored={stored} reread={async () => (await query.refetch()).data} />}
    </Answered>
  );
}

const newRow = (): Row => ({ id: newId(), osPattern: '', assetType: '', attackSurface: '', supports: [] });

function Editor({ stored, reread }: { stored: Draft; reread: () => Promise<Draft | undefined> }) {
  const mayChange = useMayChange('settings:write');
  const [edited, setEdited] = useState<Edited | null>(null);
  const { draft, from, change, discard, rebase } = useDraft('OS mapping', stored, edited !== null);
  const [lastMove, setLastMove] = useState<Move | null>(null);
  const [os, setOs] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const reset = () => {
    discard();
    setErrors({});
  };
  const save = api.useMutation('post', PATH, {
    onSuccess: async (answer) => {
      await settled(
        answer,
        t`The OS mapping is saved. Within a minute the service starts to update the types of stored assets.`,
      );
      reset();
    },
    onError: async (error) => {
      setErrors(rowErrorsOf(error, draft));
      if (!isStale(error)) return;
      // The error reports the concurrent change. If the user saves again, the list is replaced deliberately.
      const now = await reread();
      if (now) rebase(now.version);
    },
  });
  const count = from ? changeCount(draft, from) : 0;
  useWarningBeforeLeaving(count > 0);
  useFocusOnMove(lastMove);

  // Rows are memoized.
  const acts = useMemo<RowActs<Row>>(() => {
    const changeRows = (after: (rows: readonly Row[]) => Row[]) =>
      change((now) => ({ ...now, rows: after(now.rows) }));
    return {
      edit: (row, at) => setEdited({ row, at, isNew: false }),
      remove: (id) => changeRows((rows) => rows.filter((row) => row.id !== id)),
      move: (id, step) => {
        changeRows((rows) => moved(rows, id, rows.findIndex((row) => row.id === id) + step));
        setLastMove({ id, step });
      },
    };
  }, [change]);

  function done(after: Edited) {
    setEdited(null);
    if ('fallback' in after) {
      change((now) => ({ ...now, fallback: after.fallback }));
      setErrors(({ default: _, ...others }) => others);
    } else {
      change((now) => ({ ...now, rows: placed(now.rows, after.row, after.at) }));
      setErrors(({ [after.row.id]: _, ...others }) => others);
    }
  }

  const match = os.trim() === '' ? undefined : firstMatch(os, draft.rows);
  return (
    <Stack>
      <MappingTest os={os} onChange={setOs} match={match} draft={draft} />
      <DraftFields isBusy={save.isPending} failure={save.error}>
        {mayChange && (
          <Group>
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setEdited({ row: newRow(), at: 0, isNew: true })}
            >
              <Trans>Add a row</Trans>
            </Button>
          </Group>
        )}
        <FormError>{generalErrorOf(save.error)}</FormError>
        <VisuallyHidden role="status">{lastMove && whereIs(lastMove.id, draft.rows)}</VisuallyHidden>
        <MappingTable
          draft={draft}
          match={match}
          errors={errors}
          acts={mayChange ? acts : null}
          onEditDefault={() => setEdited({ fallback: draft.fallback })}
        />
      </DraftFields>
      <SaveBar
        count={count}
        isBusy={save.isPending}
        onSave={() => save.mutate({ body: { ...mappingOf(draft), version: draft.version } })}
        onDiscard={() => {
          reset();
          save.reset();
        }}
      />
      {edited && (
        <MappingRowForm edited={edited} rows={draft.rows} onDone={done} onClose={() => setEdited(null)} />
      )}
    </Stack>
  );
}

const whereIs = (id: number, rows: readonly Row[]): string => {
  const at = rows.findIndex((row) => row.id === id);
  if (at < 0) return '';
  const { osPattern } = rows[at]!;
  const [place, count] = [at + 1, rows.length];
  return t`${osPattern} is now row ${place} of ${count}`;
};
