import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconEye, IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import { responsibleText } from '../../parts/responsible.tsx';
import { Answered, Empty } from '../../parts/states.tsx';
import { useWarningBeforeLeaving } from '../../parts/use-warning-before-leaving.ts';
import { isStale, ON_ENTRY, settled, useMayChange } from '../act.ts';
import { DraftFields } from '../draft-fields.tsx';
import { FormError } from '../form-error.tsx';
import { type Move, useFocusOnMove } from '../move-buttons.tsx';
import { moved, placed, type RowActs } from '../ordered-rows.ts';
import { SaveBar } from '../save-bar.tsx';
import { useDraft } from '../use-draft.ts';
import { Preview } from './preview.tsx';
import { generalErrorOf, rowErrorsOf } from './rule-errors.ts';
import { type Edited, RuleForm } from './rule-form.tsx';
import { RuleTable } from './rule-table.tsx';
import { changeCount, draftOf, newRow, type Row, RULES_MAX, rulesOf } from './rules.ts';

const PATH = '/api/v3/owner-rules';

type Stored = Api['OwnerRulesDto'];

export default function OwnerRules() {
  const query = api.useQuery('get', PATH, {}, ON_ENTRY);
  return (
    <Answered query={query} waiting={<Skeleton height={400} />}>
      {(stored) => <Editor of={stored} reread={async () => (await query.refetch()).data} />}
    </Answered>
  );
}

function Editor({ of, reread }: { of: Stored; reread: () => Promise<Stored | undefined> }) {
  const mayChange = useMayChange('settings:write');
  const stored = useMemo(() => draftOf(of), [of]);
  const [edited, setEdited] = useState<Edited | null>(null);
  const { draft, from, change, discard, rebase } = useDraft('owner rules', stored, edited !== null);
  const [lastMove, setLastMove] = useState<Move | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const preview = api.useMutation('post', `${PATH}/preview`, {
    onError: (error) => setErrors(rowErrorsOf(error, draft)),
  });
  const reset = () => {
    discard();
    setErrors({});
    preview.reset();
  };
  const save = api.useMutation('post', PATH, {
    onSuccess: async (answer) => {
      await settled(answer, t`The owner rules are saved and in effect.`);
      reset();
    },
    onError: async (error) => {
      setErrors(rowErrorsOf(error, draft));
      if (!isStale(error)) return;
      // The error reports the concurrent change.
      const now = await reread();
      if (now) rebase(now.version);
    },
  });
  const changeRows = (after: (rows: readonly Row[]) => readonly Row[]) => {
    change((now) => ({ ...now, rows: after(now.rows) }));
    preview.reset();
  };
  const count = from ? changeCount(draft, from) : 0;
  useWarningBeforeLeaving(count > 0);
  useFocusOnMove(lastMove);

  const { rows } = draft;
  const acts: RowActs<Row> = {
    edit: (row, at) => setEdited({ row, at, isNew: false }),
    remove: (id) => changeRows((before) => before.filter((row) => row.id !== id)),
    move: (id, step) => {
      changeRows((before) => moved(before, id, before.findIndex((row) => row.id === id) + step));
      setLastMove({ id, step });
    },
  };
  return (
    <Stack>
      <DraftFields isBusy={save.isPending} failure={save.error ?? preview.error}>
        {mayChange && (
          <Group>
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={rows.length >= RULES_MAX}
              onClick={() => setEdited({ row: newRow(), at: rows.length, isNew: true })}
            >
              <Trans>Add a rule</Trans>
            </Button>
            <Button
              variant="default"
              leftSection={<IconEye size={16} aria-hidden />}
              loading={preview.isPending}
              onClick={() => preview.mutate({ body: { rules: rulesOf(draft) } })}
            >
              <Trans>Preview</Trans>
            </Button>
          </Group>
        )}
        <FormError title={save.error ? t`Not saved` : t`No preview`}>
          {generalErrorOf(save.error ?? preview.error)}
        </FormError>
        <VisuallyHidden role="status">{lastMove && whereIs(lastMove.id, rows)}</VisuallyHidden>
        {preview.data && <Preview of={preview.data} />}
        {rows.length === 0 ? (
          <Empty title={t`No owner rules`}>
            {mayChange
              ? t`Add a rule to give assets an owner, who is the assignee of their findings.`
              : t`Only admins can set them.`}
          </Empty>
        ) : (
          <RuleTable
            rows={rows}
            counts={preview.data?.rules ?? null}
            errors={errors}
            acts={mayChange ? acts : null}
          />
        )}
      </DraftFields>
      <SaveBar
        count={count}
        isBusy={save.isPending}
        onSave={() => save.mutate({ body: { rules: rulesOf(draft), version: draft.version } })}
        onDiscard={() => {
          reset();
          save.reset();
        }}
      />
      {edited && (
        <RuleForm
          edited={edited}
          rows={rows}
          onDone={({ row, at }) => {
            setEdited(null);
            changeRows((before) => placed(before, row, at));
            setErrors(({ [row.id]: _, ...others }) => others);
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </Stack>
  );
}

function whereIs(id: number, rows: readonly Row[]): string {
  const at = rows.findIndex((row) => row.id === id);
  if (at < 0) return '';
  const owner = responsibleText(rows[at]!.owner);
  const [place, count] = [at + 1, rows.length];
  return t`The rule of ${owner} is now rule ${place} of ${count}`;
}
