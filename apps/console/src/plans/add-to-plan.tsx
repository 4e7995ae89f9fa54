import { t } from '@lingui/core/macro';
import { NativeSelect, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { api } from '../api/client.ts';
import { useGo } from '../app/links.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { keepDraft } from '../parts/drafts.ts';
import { FormButtons } from '../parts/form-buttons.tsx';
import { isInputComplete } from '../parts/is-input-complete.ts';
import { useDraftEnd } from '../parts/use-kept.ts';
import { useKeptFields } from '../parts/use-kept-fields.ts';
import { isStale, namedFormErrorsOf, settled } from '../settings/act.ts';
import { FormError } from '../settings/form-error.tsx';
import { isPlanField, PlanFields, planOf } from './plan-fields.tsx';

/** Findings to plan: by ids, or by a query of the list of findings. */
export interface Planned {
  add?: string[];
  query?: string;
}

const DRAFT_KEY = 'new plan';
const PLANS_MAX = 200;

/** Adds findings to a new plan or to an existing one, and opens it. @param about such as `3 findings will be part of the plan.` */
export function AddToPlan({
  planned,
  about,
  onClose,
}: {
  planned: Planned;
  about: string;
  onClose: () => void;
}) {
  const go = useGo();
  const [planId, setPlanId] = useState('');
  const keptFields = useKeptFields('fields of a new plan');
  // Of the plan for these findings only.
  useDraftEnd(DRAFT_KEY);
  const plans = api.useQuery('get', '/api/v3/plans', {
    params: { query: { state: ['planned', 'active'], limit: PLANS_MAX } },
  });
  const options = {
    onSuccess: (done: object) => {
      keepDraft(DRAFT_KEY, '');
      void settled(done, t`The findings are part of the plan.`);
    },
  };
  // Not called if the user has left the page.
  const after = {
    onSuccess: (done: object) => {
      onClose();
      if ('id' in done) go(`/plans/${String(done.id)}`);
    },
  };
  const adding = api.useMutation('post', '/api/v3/plans', options);
  const changing = api.useMutation('patch', '/api/v3/plans/{id}', options);
  const changeable = plans.data?.items.filter((plan) => plan.changeable) ?? [];
  const { error } = planId === '' ? adding : changing;
  const { fields, general } = namedFormErrorsOf(error, isPlanField);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isInputComplete(event.currentTarget)) return;
    if (planId !== '') changing.mutate({ params: { path: { id: planId } }, body: planned }, after);
    else adding.mutate({ body: { ...planOf(new FormData(event.currentTarget)), ...planned } }, after);
  };
  return (
    <Dialog onClose={onClose} title={t`Add to a remediation plan`} size="lg" closeOnClickOutside={false}>
      <form ref={keptFields} onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{about}</Text>
          <FormError>
            {error && isStale(error)
              ? t`Another user changed this plan at the same time. Try again.`
              : general}
          </FormError>
          {changeable.length > 0 && (
            <NativeSelect
              label={t`Plan`}
              value={planId}
              onChange={({ currentTarget }) => setPlanId(currentTarget.value)}
              data={[
                { value: '', label: t`A new plan` },
                ...changeable.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
          {planId === '' && <PlanFields draft={DRAFT_KEY} errors={fields} />}
          <FormButtons
            act={planId === '' ? t`Create plan` : t`Add`}
            isBusy={adding.isPending || changing.isPending}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}
