import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';

/** A date until when something is to be done, as `due` of a form. @param due ISO time; empty if there is none */
export function DueField({
  due,
  error,
  without = t`no due date`,
  hasFocus = false,
}: {
  due: string | null | undefined;
  error: string | undefined;
  /** What an empty field means. */
  without?: string;
  hasFocus?: boolean;
}) {
  return (
    <TextInput
      type="date"
      name="due"
      label={t`Due date`}
      description={t`The end of this day in UTC. Leave empty for ${without}.`}
      maw={300}
      data-autofocus={hasFocus || undefined}
      defaultValue={due?.slice(0, 10)}
      error={error}
    />
  );
}
