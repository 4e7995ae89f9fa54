import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { api, type Failure } from '../../api/client.ts';
import { Answered } from '../../parts/states.tsx';
import { isStale, ON_ENTRY, settled, useMayChange } from '../act.ts';
import { DraftFields } from '../draft-fields.tsx';
import { FormError } from '../form-error.tsx';
import { type Move, useFocusOnMove } from '../move-buttons.tsx';
import { moved, newId, placed } from '../ordered-rows.ts';
import { SaveBar } from '../save-bar.tsx';
import { useUnsaved } from '../use-unsaved.ts';
import { useWarningBeforeLeaving } from '../use-warning-before-leaving.ts';
import { firstMatch } from './first-match.ts';
import { changeCount, type Draft, mappingOf, type Row, readMapping } from './mapping.ts';
import { generalErrorOf, rowErrorsOf } from './mapping-errors.ts';
import type { RowActs } from './mapping-row.tsx';
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
  const [changed, setChanged] = useUnsaved<Draft | null>('OS mapping', null);
  const draft = changed ?? stored;
  const [edited, setEdited] = useState<number | 'default' | 'new' | null>(null);
  const [lastMove, setLastMove] = useState<Move | null>(null);
  const [os, setOs] = useState('');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const discard = () => {
    setChanged(null);
    setErrors({});
  };
  const save = api.useMutation('post', PATH, {
    onSuccess: async (answer) => {
      await settled(
        answer,
        t`The OS mapping is saved. Within a minute the service starts to update the types of stored assets.`,
      );
      discard();
    },
    onError: async (error) => {
      setErrors(rowErrorsOf(error, draft));
      if (!isStale(error)) return;
      // The error reports the concurrent change. If the user saves again, the list is replaced deliberately.
      const now = await reread();
      if (now) setChanged((before) => before && { ...before, version: now.version });
    },
  });
  const count = changed ? changeCount(changed, stored) : 0;
  useWarningBeforeLeaving(count > 0);
  useFocusOnMove(lastMove);

  // The list may be requested again while a row is edited, so the draft keeps the list as it was.
  const edit = useCallback(
    (what: number | 'default' | 'new') => {
      setChanged((before) => before ?? stored);
      setEdited(what);
    },
    [stored, setChanged],
  );
  const close = () => {
    setEdited(null);
    setChanged((before) => (before === stored ? null : before));
  };

  const acts = useMemo<RowActs>(() => {
    const change = (rowsAfter: (rows: readonly Row[]) => Row[]) =>
      setChanged((before) => ({ ...(before ?? stored), rows: rowsAfter((before ?? stored).rows) }));
    return {
      edit,
      remove: (id) => change((rows) => rows.filter((row) => row.id !== id)),
      move: (id, step) => {
        change((rows) => moved(rows, id, rows.findIndex((row) => row.id === id) + step));
        setLastMove({ id, step });
      },
    };
  }, [stored, edit, setChanged]);

  function done(after: Edited) {
    setEdited(null);
    if ('fallback' in after) {
      setChanged({ ...draft, fallback: after.fallback });
      setErrors(({ default: _, ...others }) => others);
    } else {
      setChanged({ ...draft, rows: placed(draft.rows, after.row, after.at) });
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
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => edit('new')}>
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
          onEditDefault={() => edit('default')}
        />
      </DraftFields>
      <SaveBar
        count={count}
        isBusy={save.isPending}
        onSave={() => save.mutate({ body: { ...mappingOf(draft), version: draft.version } })}
        onDiscard={() => {
          discard();
          save.reset();
        }}
      />
      {edited !== null && (
        <MappingRowForm edited={editedOf(edited, draft)} rows={draft.rows} onDone={done} onClose={close} />
      )}
    </Stack>
  );
}

function editedOf(edited: number | 'default' | 'new', { rows, fallback }: Draft): Edited {
  if (edited === 'default') return { fallback };
  if (edited === 'new') return { row: newRow(), at: 0, isNew: true };
  const at = rows.findIndex(({ id }) => id === edited);
  return { row: rows[at]!, at, isNew: false };
}

const whereIs = (id: number, rows: readonly Row[]): string => {
  const at = rows.findIndex((row) => row.id === id);
  if (at < 0) return '';
  const { osPattern } = rows[at]!;
  const [place, count] = [at + 1, rows.length];
  return t`${osPattern} is now row ${place} of ${count}`;
};
