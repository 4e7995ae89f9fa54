import { t } from '@lingui/core/macro';
import { Radio, Stack } from '@mantine/core';
import { DraftTextarea } from '../../parts/draft-textarea.tsx';
import { stateNames } from '../../parts/state.tsx';
import { REVERT, type RevertInput, type Target } from './bulk-act.tsx';
import { BulkDialog } from './bulk-dialog.tsx';

const NOT_ASSESSED: RevertInput['to'] = 'NotAssessed';
const FAILED: RevertInput['to'] = 'Failed';
const RATIONALE_CHARACTERS_MAX = 4_000;
const DRAFT = 'revert many';

export function RevertDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const states = stateNames();
  return (
    <BulkDialog act={REVERT} draft={DRAFT} target={target} onClose={onClose} inputOf={inputOf}>
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
            description={t`Signals do not change the findings until they are reverted to Not assessed.`}
          />
        </Stack>
      </Radio.Group>
      <DraftTextarea
        draft={DRAFT}
        name="rationale"
        label={t`Rationale (optional)`}
        maxLength={RATIONALE_CHARACTERS_MAX}
        autosize
        minRows={2}
        maxRows={10}
      />
    </BulkDialog>
  );
}

function inputOf(form: FormData): RevertInput {
  const rationale = String(form.get('rationale') ?? '').trim();
  return { to: form.get('to') as RevertInput['to'], ...(rationale && { rationale }) };
}
