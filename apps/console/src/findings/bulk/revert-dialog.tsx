import { Radio, Stack } from '@mantine/core';
import { DraftTextarea } from '../../parts/draft-textarea.tsx';
import { REVERT, type RevertInput, type Target } from './bulk-act.ts';
import { BulkDialog } from './bulk-dialog.tsx';

const RATIONALE_CHARACTERS_MAX = 4_000;
const DRAFT = 'revert many';

export function RevertDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  return (
    <BulkDialog act={REVERT} draft={DRAFT} target={target} onClose={onClose} inputOf={inputOf}>
      <Radio.Group name="to" label="New state" defaultValue="NotAssessed">
        <Stack gap="xs" mt="xs">
          <Radio
            value="NotAssessed"
            label="Not assessed"
            description="The next signal determines the state."
          />
          <Radio
            value="Failed"
            label="Failed"
            description="Signals do not change the findings until they are reverted to Not assessed."
          />
        </Stack>
      </Radio.Group>
      <DraftTextarea
        draft={DRAFT}
        name="rationale"
        label="Rationale (optional)"
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
