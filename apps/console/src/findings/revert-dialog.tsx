import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Radio, Stack, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import type { Api } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { DraftTextarea } from '../parts/draft-textarea.tsx';
import { FormButtons } from '../parts/form-buttons.tsx';
import { stateNames } from '../parts/state.tsx';
import { useKeptFields } from '../parts/use-kept-fields.ts';
import { ActFailure } from './act-failure.tsx';
import { useFindingAct } from './use-finding-act.ts';

type Target = Api['RevertFindingDto']['to'];

const NOT_ASSESSED: Target = 'NotAssessed';
const FAILED: Target = 'Failed';
const RATIONALE_CHARACTERS_MAX = 4_000;

/** Only an acceptance or a hold can be reverted. */
export const isRevertible = ({ state, heldFailed }: Api['FindingDto']): boolean =>
  state === 'AcceptedFailed' || (state === 'Failed' && heldFailed !== null);

/** Ends an acceptance (to Not assessed or held as Failed) or a hold (to Not assessed) (R-ACC-5, R-ACC-6). */
export function RevertDialog({ finding, onClose }: { finding: Api['FindingDto']; onClose: () => void }) {
  const draft = `revert ${finding.id}`;
  const keptFields = useKeptFields(`fields of ${draft}`);
  const act = useFindingAct(finding, draft, onClose);
  const { name } = finding;
  const states = stateNames();
  const isHeld = act.seen.state === 'Failed';
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const rationale = String(form.get('rationale')).trim();
    const to: Target = isHeld ? 'NotAssessed' : (form.get('to') as Target);
    act.revert({ to, ...(rationale !== '' && { rationale }) });
  }
  return (
    <Dialog onClose={onClose} title={isHeld ? t`End the hold` : t`Revert the acceptance`} size="lg">
      <form ref={keptFields} onSubmit={submit}>
        <Stack>
          <ActFailure act={act} finding={finding} isStillPossible={isRevertible(finding)} />
          {isHeld ? (
            <Text size="sm">
              <Trans>
                <b dir="auto">{name}</b> becomes Not assessed. The next signal determines its state.
              </Trans>
            </Text>
          ) : (
            <Radio.Group name="to" label={t`New state`} defaultValue={NOT_ASSESSED}>
              <Stack gap="xs" mt="xs">
                <Radio
                  value={NOT_ASSESSED}
                  label={states.NotAssessed}
                  description={t`The next signal determines the state.`}
                />
                <Radio
                  value={FAILED}
                  label={states.Failed}
                  description={t`The finding counts again. Signals do not change it until a user ends the hold.`}
                />
              </Stack>
            </Radio.Group>
          )}
          <DraftTextarea
            draft={draft}
            name="rationale"
            label={t`Rationale`}
            description={t`Optional. Stored in the audit trail.`}
            autosize
            minRows={2}
            maxLength={RATIONALE_CHARACTERS_MAX}
          />
          <FormButtons act={isHeld ? t`End the hold` : t`Revert`} isBusy={act.isBusy} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
