import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { changedFields } from '../parts/changed-fields.ts';
import { Dialog } from '../parts/dialog.tsx';
import { draftOf, keepDraft } from '../parts/drafts.ts';
import { FormButtons } from '../parts/form-buttons.tsx';
import { isInputComplete } from '../parts/is-input-complete.ts';
import { useKeptFields } from '../parts/use-kept-fields.ts';
import { isStale, namedFormErrorsOf, refreshIfStale, settled } from '../settings/act.ts';
import { FormError } from '../settings/form-error.tsx';
import type { Plan } from './plan.ts';
import { planErrorText } from './plan-conflict.ts';
import { isPlanField, PlanFields, planFieldsOf, planOf } from './plan-fields.tsx';

/** Changes the texts and dates of a plan, as it was when the dialog opened. */
export function EditPlan({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const [seen] = useState(plan);
  const [version, setVersion] = useState(plan.version);
  const [isConflict, setConflict] = useState(false);
  // After a conflict the user sees the other change, and only the fields that differ are sent; later ones are conflicts.
  if (isConflict && plan.version !== version) {
    setVersion(plan.version);
    setConflict(false);
  }
  // A text of before another user's change is not put back by a later one.
  const draft = `plan ${seen.id} ${seen.version}`;
  const keptFields = useKeptFields(`fields of plan ${seen.id} ${seen.version}`);
  // The stored description, unless the user has begun to change it.
  useState(() => draftOf(draft) === '' && keepDraft(draft, seen.description ?? ''));
  const change = api.useMutation('patch', '/api/v3/plans/{id}', {
    onSuccess: (done) => {
      keepDraft(draft, '');
      onClose();
      void settled(done, t`The plan was changed.`);
    },
    onError: (error) => {
      setConflict(isStale(error));
      refreshIfStale(error);
    },
  });
  const { error } = change;
  const { fields, general } = namedFormErrorsOf(error, isPlanField);
  const close = () => {
    keepDraft(draft, '');
    onClose();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isInputComplete(event.currentTarget)) return;
    const changed = changedFields(planOf(new FormData(event.currentTarget)), planFieldsOf(seen));
    if (Object.keys(changed).length === 0) return close();
    change.mutate({ params: { path: { id: seen.id } }, body: { ...changed, version } });
  };
  return (
    <Dialog onClose={close} title={t`Edit the plan`} size="lg" closeOnClickOutside={false}>
      <form ref={keptFields} onSubmit={submit} noValidate>
        <Stack>
          <FormError>{error && isStale(error) ? planErrorText(error) : general}</FormError>
          <PlanFields plan={seen} draft={draft} errors={fields} />
          <FormButtons act={t`Save`} isBusy={change.isPending} onClose={close} />
        </Stack>
      </form>
    </Dialog>
  );
}
