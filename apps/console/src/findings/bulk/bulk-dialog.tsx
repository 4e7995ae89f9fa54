import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import type { Failure } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { keepDraft } from '../../parts/drafts.ts';
import { isInputComplete } from '../../parts/is-input-complete.ts';
import { useDraftEnd } from '../../parts/use-kept.ts';
import { useKeptFields } from '../../parts/use-kept-fields.ts';
import { useWarningBeforeLeaving } from '../../parts/use-warning-before-leaving.ts';
import { ActFailed, mayHaveTakenEffect } from '../act-failed.tsx';
import { AffectedFindings, useAffectedFindings } from './affected-findings.tsx';
import type { BulkAct, Target } from './bulk-act.tsx';
import { OutcomeReport } from './outcome-report.tsx';
import { type Outcome, performOnChosen, performOnMatching } from './perform.ts';

/** Path prefixes of data that an action can change. */
const AFFECTED = ['/api/v3/findings', '/api/v3/assets', '/api/v3/scores'];

interface Props<Input> {
  act: BulkAct<Input>;
  /** Text of the fields, which is removed when the dialog is closed. */
  draft: string;
  target: Target;
  /** Null if they are invalid; the fields show the errors. */
  inputOf: (form: FormData) => Input | null;
  onClose: () => void;
  /** The form fields. */
  children: ReactNode;
}

/** Asks for the parameters, shows how many findings the action changes, and then its outcome. */
export function BulkDialog<Input>(props: Props<Input>) {
  const { act, draft, target, inputOf, onClose, children } = props;
  const queries = useQueryClient();
  const keptFields = useKeptFields(`fields of ${draft}`);
  // Of these findings only.
  useDraftEnd(draft);
  const affected = useAffectedFindings(act, target);
  const doing = useMutation<Outcome, Failure, Input>({
    mutationFn: (input) =>
      target.kind === 'chosen'
        ? performOnChosen(act, target.findings.filter(act.takes), input)
        : performOnMatching(act, target, input, affected.matching ?? 0),
    onSuccess: () => keepDraft(draft, ''),
    onSettled: () =>
      void queries.invalidateQueries({
        predicate: ({ queryKey: [, path] }) => AFFECTED.some((start) => String(path).startsWith(start)),
      }),
  });
  useWarningBeforeLeaving(doing.isPending);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isInputComplete(event.currentTarget)) return;
    const input = inputOf(new FormData(event.currentTarget));
    if (input !== null) doing.mutate(input);
  };
  const again = () => {
    doing.reset();
    affected.again();
  };
  const isUnknown = doing.error !== null && mayHaveTakenEffect(doing.error);
  const words = act.words();
  return (
    <Dialog
      onClose={onClose}
      title={words.title}
      size="lg"
      closeOnClickOutside={false}
      isBusy={doing.isPending}
    >
      {doing.data ? (
        <Stack>
          <OutcomeReport outcome={doing.data} words={words} isScored />
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              <Trans>Close</Trans>
            </Button>
          </Group>
        </Stack>
      ) : (
        <form ref={keptFields} onSubmit={submit} noValidate>
          <Stack>
            <AffectedFindings act={act} target={target} affected={affected} />
            {children}
            {doing.error && <ActFailed error={doing.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose} disabled={doing.isPending}>
                <Trans>Cancel</Trans>
              </Button>
              {doing.error && target.kind === 'matching' && (
                <Button variant="default" onClick={again}>
                  <Trans>Count again</Trans>
                </Button>
              )}
              <Button type="submit" disabled={!affected.count || isUnknown} loading={doing.isPending}>
                {words.button(affected.count ?? 0)}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
