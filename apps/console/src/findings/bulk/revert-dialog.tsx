import { Radio, Stack, Textarea } from '@mantine/core';
import { REVERT, type RevertWords, type Target } from './bulk-act.ts';
import { BulkDialog } from './bulk-dialog.tsx';

const RATIONALE_CHARACTERS_MAX = 4_000;

export function RevertDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  return (
    <BulkDialog act={REVERT} target={target} onClose={onClose} wordsOf={wordsOf}>
      <Radio.Group name="to" label="They become" defaultValue="NotAssessed">
        <Stack gap="xs" mt="xs">
          <Radio
            value="NotAssessed"
            label="Not assessed"
            description="The next signal says whether they fail."
          />
          <Radio
            value="Failed"
            label="Failed"
            description="They are held so, whatever signals say, until they are reverted to not assessed."
          />
        </Stack>
      </Radio.Group>
      <Textarea
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

function wordsOf(form: FormData): RevertWords {
  const rationale = String(form.get('rationale') ?? '').trim();
  return { to: form.get('to') as RevertWords['to'], ...(rationale && { rationale }) };
}
