import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type Api, api } from '../../api/client.ts';
import { list } from '../../language/format.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { useKeptFields } from '../../parts/use-kept-fields.ts';
import { formErrorsOf, settled } from '../act.ts';
import { FormError } from '../form-error.tsx';

export function ErasureForm({ onClose }: { onClose: () => void }) {
  const erase = api.useMutation('post', '/api/v3/erasures', {
    onSuccess: (answer) => {
      onClose();
      void settled(answer, sentenceOf('sameName' in answer ? answer.sameName : []));
    },
  });
  const keptFields = useKeptFields('erasure');
  const isField = (path: string) => path === 'reason' || path.startsWith('subject');
  const { fields, general } = formErrorsOf(erase.error, isField);
  return (
    <Dialog onClose={onClose} title={t`Erase a subject`}>
      <form
        ref={keptFields}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          erase.mutate({
            body: {
              subject: subjectOf(form.get('type') as Kind, String(form.get('name'))),
              reason: String(form.get('reason')),
            },
          });
        }}
      >
        <Stack>
          <FormError title={t`Not erased`}>{general}</FormError>
          <Text size="sm">
            <Trans>
              Names, attributes, evidence and history of the subject show &quot;erased&quot;. Findings and
              scores stay. This cannot be undone.
            </Trans>
          </Text>
          <NativeSelect
            name="type"
            label={t`Subject`}
            data={kinds()}
            error={fields['subject.type']}
            data-autofocus
          />
          <TextInput
            name="name"
            label={t`Name or ID`}
            description={t`Of a user of an identity provider PROVIDER:NAME, of an API token token:NAME`}
            error={fields['subject.name'] ?? fields['subject.id'] ?? fields.subject}
            maxLength={1_000}
            autoComplete="off"
          />
          <Textarea
            name="reason"
            label={t`Reason`}
            description={t`For the audit trail. Do not name the person`}
            error={fields.reason}
            maxLength={4_000}
            autosize
            minRows={2}
          />
          <FormButtons act={t`Erase`} isBusy={erase.isPending} color="red.9" onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

type Kind = 'user' | 'machine' | 'person' | 'id';

const kinds = (): { value: Kind; label: string }[] => [
  { value: 'user', label: t`User that is an asset` },
  { value: 'machine', label: t`Machine` },
  { value: 'person', label: t`Person who acted, or API token` },
  { value: 'id', label: t`ID of a subject` },
];

const subjectOf = (kind: Kind, given: string): Api['EraseDto']['subject'] =>
  kind === 'id' ? { id: given.trim() } : { type: kind, name: given };

/** @param sameName subjects that were not erased */
function sentenceOf(sameName: string[]): string {
  if (sameName.length === 0) return t`The subject was erased.`;
  const subjects = list(sameName);
  return plural(sameName.length, {
    one: `The subject was erased. Not erased: ${subjects}, which is a subject of its own.`,
    other: `The subject was erased. Not erased: ${subjects}, which are subjects of their own.`,
  });
}
