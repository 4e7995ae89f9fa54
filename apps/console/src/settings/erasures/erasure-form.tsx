import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { api } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { formErrorsOf, settled } from '../act.ts';
import { FormError } from '../form-error.tsx';

export function ErasureForm({ onClose }: { onClose: () => void }) {
  const erase = api.useMutation('post', '/api/v3/erasures', {
    onSuccess: (answer) => {
      onClose();
      void settled(answer, sentenceOf('sameName' in answer ? answer.sameName : []));
    },
  });
  const isField = (path: string) => path === 'subject' || path === 'reason';
  const { fields, general } = formErrorsOf(erase.error, isField);
  return (
    <Dialog onClose={onClose} title="Erase a person">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          erase.mutate({
            body: { subject: String(form.get('subject')), reason: String(form.get('reason')) },
          });
        }}
      >
        <Stack>
          <FormError title="Not erased">{general}</FormError>
          <Text size="sm">
            Names, attributes, evidence and history of the person show &quot;erased&quot;. Findings and scores
            stay. This cannot be undone.
          </Text>
          <TextInput
            name="subject"
            label="Subject"
            description="user:NAME of an asset, person:NAME of a deleted credential, or the ID of a subject"
            error={fields.subject}
            maxLength={1_000}
            autoComplete="off"
            data-autofocus
          />
          <Textarea
            name="reason"
            label="Reason"
            description="For the audit trail. Do not name the person"
            error={fields.reason}
            maxLength={4_000}
            autosize
            minRows={2}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red.9" loading={erase.isPending}>
              Erase
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** @param sameName subjects that were not erased */
const sentenceOf = (sameName: string[]): string =>
  sameName.length === 0
    ? 'The person was erased.'
    : `The person was erased. Not erased: ${sameName.join(', ')}, which has the same name.`;
