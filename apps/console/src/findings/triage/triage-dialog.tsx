import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import type { Api } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { keepDraft } from '../../parts/drafts.ts';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { isInputComplete } from '../../parts/is-input-complete.ts';
import { useKeptFields } from '../../parts/use-kept-fields.ts';
import { formErrorsOf } from '../../settings/act.ts';
import { ActFailed } from '../act-failed.tsx';
import { type ActsOutcome, type TriageAct, useTriage, whyRefused } from './triage-act.ts';

interface Props {
  act: TriageAct;
  finding: Api['FindingDto'];
  onClose: () => void;
}

/** Asks for an act on one finding, and performs it. */
export function TriageDialog({ act, finding, onClose }: Props) {
  const triage = useTriage();
  // The user decides on the values that the dialog has shown first.
  const [seen, setSeen] = useState(finding);
  const draft = `${act.name} ${finding.id}`;
  // What replaces a value of before another user's change is not put back by a later one.
  const keptFields = useKeptFields(`fields of ${draft}${act.isReplacing ? ` ${seen.version}` : ''}`);
  const { fields, general } = formErrorsOf(triage.error, (path) => path.startsWith(`${act.name}.`));
  const refused = triage.data?.refused[0];
  const why = refused ? whyRefused(refused.reason) : '';
  const finish = (outcome: ActsOutcome) => {
    if (outcome.refused.length > 0) return;
    keepDraft(draft, '');
    notifications.show({
      message: sentenceOf(outcome),
      closeButtonProps: { 'aria-label': t`Close` },
    });
    onClose();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isInputComplete(event.currentTarget)) return;
    const versions = act.isReplacing ? { [seen.id]: seen.version } : {};
    const body = act.bodyOf(new FormData(event.currentTarget), seen);
    // Not called if the user has left the page.
    triage.mutate({ ids: [seen.id], versions, ...body }, { onSuccess: finish });
  };
  return (
    <Dialog onClose={onClose} title={act.title()} size="lg">
      <form ref={keptFields} onSubmit={submit} noValidate>
        <Stack>
          {triage.error && general && <ActFailed error={triage.error}>{general}</ActFailed>}
          {refused && (
            <Alert color="orange" role="alert" title={t`The finding is unchanged`}>
              <Stack gap="xs" align="flex-start">
                <Trans>Rejected by the service: {why}.</Trans>
                {refused.reason === 'stale' && finding.version !== seen.version && (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => {
                      setSeen(finding);
                      triage.reset();
                    }}
                  >
                    <Trans>Use the current state</Trans>
                  </Button>
                )}
              </Stack>
            </Alert>
          )}
          <act.Fields key={seen.version} finding={seen} draft={draft} errors={fields} />
          <FormButtons act={t`Save`} isBusy={triage.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

function sentenceOf({ done, pending }: ActsOutcome): string {
  if (pending > 0) return t`Accepted. The change takes effect shortly.`;
  return done > 0 ? t`Saved.` : t`No change was necessary.`;
}
