import { Textarea, TextInput } from '@mantine/core';
import { ACCEPT, type AcceptWords, type Target } from './bulk-act.ts';
import { BulkDialog } from './bulk-dialog.tsx';

const RATIONALE_CHARACTERS_MAX = 4_000;

export function AcceptDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  return (
    <BulkDialog act={ACCEPT} target={target} onClose={onClose} wordsOf={wordsOf}>
      <Textarea
        name="rationale"
        label="Rationale"
        description="Why the risk is borne. It stands in the history of each finding."
        required
        maxLength={RATIONALE_CHARACTERS_MAX}
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
      />
      <TextInput
        type="date"
        name="until"
        label="Through the end of (optional)"
        description="From then on they are not assessed, until a signal says anew. Without a date: until somebody reverts it."
        min={localDay(Date.now())}
        maw={300}
      />
    </BulkDialog>
  );
}

function wordsOf(form: FormData): AcceptWords {
  const day = String(form.get('until') ?? '');
  const rationale = String(form.get('rationale')).trim();
  return day === '' ? { rationale } : { rationale, until: new Date(`${day}T23:59:59.999`).toISOString() };
}

/** `2026-03-02`, in the reader's own zone. */
function localDay(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
