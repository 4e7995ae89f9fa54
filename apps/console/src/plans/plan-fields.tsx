import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Api } from '../api/client.ts';
import { DraftTextarea } from '../parts/draft-textarea.tsx';
import { DueField } from '../parts/due-field.tsx';
import { UserOrTeam } from '../parts/user-or-team.tsx';
import type { Plan } from './plan.ts';

const NAME_CHARACTERS_MAX = 200;
const OWNER_CHARACTERS_MAX = 256;
const DESCRIPTION_CHARACTERS_MAX = 10_000;

/** Name, owner, due date and description of a plan. */
export function PlanFields({
  plan,
  draft,
  errors,
}: {
  plan?: Plan;
  draft: string;
  errors: Record<string, string>;
}) {
  const [type, setType] = useState<string>(plan?.owner?.type ?? 'none');
  return (
    <>
      <TextInput
        name="name"
        label={t`Name`}
        placeholder={t`Log4j on all servers`}
        required
        maxLength={NAME_CHARACTERS_MAX}
        autoComplete="off"
        data-autofocus
        defaultValue={plan?.name}
        error={errors.name}
      />
      <UserOrTeam name="ownerType" label={t`Owner`} value={type} onChange={setType} />
      {type !== 'none' && (
        <TextInput
          name="ownerName"
          label={t`Name of the owner`}
          required
          maxLength={OWNER_CHARACTERS_MAX}
          autoComplete="off"
          defaultValue={plan?.owner?.name}
          error={errors['owner.name']}
        />
      )}
      <DueField due={plan?.due} error={errors.due} />
      <DraftTextarea
        draft={draft}
        name="description"
        label={t`Description`}
        description={t`Optional, in Markdown.`}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={DESCRIPTION_CHARACTERS_MAX}
        error={errors.description}
      />
    </>
  );
}

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** The fields as the body of a request. */
export function planOf(form: FormData): Pick<Api['AddPlanDto'], 'name' | 'description' | 'owner' | 'due'> {
  const type = form.get('ownerType');
  return {
    name: textOf(form, 'name'),
    description: textOf(form, 'description') || null,
    owner: type === 'user' || type === 'team' ? { type, name: textOf(form, 'ownerName') } : null,
    due: textOf(form, 'due') || null,
  };
}

/** The same fields of a plan, as `planOf` reads them from an unchanged form. */
export const planFieldsOf = ({ name, description, owner, due }: Plan) => ({
  name,
  description,
  owner,
  due: due?.slice(0, 10) ?? null,
});

export const isPlanField = (path: string): boolean =>
  ['name', 'owner.name', 'due', 'description'].includes(path);
