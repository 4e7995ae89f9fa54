import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';

/** A date until when something is to be done, as `due` of a form. @param due ISO time; empty if there is none */
export function DueField({
  due,
  error,
  description = t`The end of this day in UTC. Leave empty for no due date.`,
  hasFocus = false,
}: {
  due: string | null | undefined;
  error: string | undefined;
  /** What the date means, and an empty field. */
  description?: string;
  hasFocus?: boolean;
}) {
  return (
    <TextInput
      type="date"
      name="due"
      label={t`Due date`}
      description={description}
      maw={300}
      data-autofocus={hasFocus || undefined}
      defaultValue={due?.slice(0, 10)}
      error={error}
    />
  );
}
