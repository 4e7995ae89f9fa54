import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DraftTextarea } from '../../parts/draft-textarea.tsx';
import { DueField } from '../../parts/due-field.tsx';
import { useSla } from '../../parts/use-sla.ts';
import { UserOrTeam } from '../../parts/user-or-team.tsx';
import { useSession } from '../../session/session.ts';
import { dueByUser } from './due-value.ts';
import type { FieldsProps } from './triage-act.ts';

const NAME_CHARACTERS_MAX = 256;
const REASON_CHARACTERS_MAX = 4_000;
const COMMENT_CHARACTERS_MAX = 10_000;

export function AssignFields({ finding, errors }: FieldsProps) {
  const me = useSession()?.username ?? '';
  const assigned = finding?.assigneeBy === 'user' ? finding.assignee : null;
  const [type, setType] = useState<string>(assigned?.type ?? 'user');
  const [name, setName] = useState(assigned?.name ?? '');
  return (
    <>
      <UserOrTeam name="type" label={t`Assign to`} value={type} onChange={setType} />
      {type !== 'none' && (
        <Group align="flex-end" gap="xs">
          <TextInput
            name="name"
            label={t`Name`}
            flex={1}
            miw={200}
            maxLength={NAME_CHARACTERS_MAX}
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errors['assign.assignee.name']}
          />
          {type === 'user' && (
            <Button variant="default" onClick={() => setName(me)}>
              <Trans>Me</Trans>
            </Button>
          )}
        </Group>
      )}
    </>
  );
}

export function DueFields({ finding, draft, errors }: FieldsProps) {
  const hasSla = Boolean(useSla());
  return (
    <>
      <DueField
        due={finding && dueByUser(finding)}
        error={errors['due.due']}
        {...(hasSla && {
          description: t`The end of this day in UTC. Leave empty for the date of the SLA.`,
        })}
        hasFocus
      />
      <DraftTextarea
        draft={draft}
        name="reason"
        label={t`Reason`}
        description={
          hasSla
            ? t`Required with a due date. Stored in the history and in the audit trail.`
            : t`Optional. Stored in the history and in the audit trail.`
        }
        autosize
        minRows={2}
        maxRows={10}
        maxLength={REASON_CHARACTERS_MAX}
        error={errors['due.reason']}
      />
    </>
  );
}

export function TagFields({ finding, errors }: FieldsProps) {
  return (
    <>
      <TextInput
        name="add"
        label={t`Tags to add`}
        description={t`Separated by spaces or commas.`}
        placeholder="internet-facing"
        data-autofocus
        error={errors['tags.add']}
      />
      {finding === undefined ? (
        <TextInput
          name="remove"
          label={t`Tags to remove`}
          description={t`Separated by spaces or commas.`}
          error={errors['tags.remove']}
        />
      ) : (
        <Removed name="remove" label={t`Tags to remove`} values={finding.tags.map((tag) => [tag, tag])} />
      )}
    </>
  );
}

export function TicketFields({ finding, errors }: FieldsProps) {
  return (
    <>
      <TextInput
        name="url"
        type="url"
        dir="ltr"
        label={t`Address of the ticket`}
        placeholder="https://tickets.example/browse/RISK-42"
        data-autofocus
        error={errors['tickets.attach.0.url']}
      />
      <TextInput
        name="label"
        label={t`Name of the ticket`}
        placeholder="RISK-42"
        maxLength={200}
        error={errors['tickets.attach.0.label']}
      />
      {finding && (
        <Removed
          name="detach"
          label={t`Tickets to detach`}
          values={finding.tickets.map(({ url, label }) => [url, label])}
        />
      )}
    </>
  );
}

export function CommentFields({ draft, errors }: FieldsProps) {
  return (
    <DraftTextarea
      draft={draft}
      name="text"
      label={t`Comment`}
      description={t`Markdown. @name mentions a user.`}
      autosize
      minRows={3}
      maxRows={16}
      maxLength={COMMENT_CHARACTERS_MAX}
      required
      data-autofocus
      error={errors['comments.text']}
    />
  );
}

/** Values of the finding, of which the selected ones are removed. */
function Removed({
  name,
  label,
  values,
}: {
  name: string;
  label: string;
  values: readonly (readonly [value: string, label: string])[];
}) {
  if (values.length === 0) return null;
  return (
    <Checkbox.Group label={label}>
      <Stack gap="xs" mt="xs">
        {values.map(([value, shown]) => (
          <Checkbox key={value} name={name} value={value} label={shown} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
