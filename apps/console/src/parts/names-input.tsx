import { TagsInput, type TagsInputProps } from '@mantine/core';

/** A field for names that the service compares exactly: a name may contain commas, or differ from another only in case. */
export const NamesInput = (props: TagsInputProps) => (
  <TagsInput {...props} splitChars={[]} isDuplicate={(name, names) => names.includes(name)} />
);
