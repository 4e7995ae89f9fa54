import { Textarea, type TextareaProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { draftOf, keepDraft } from './drafts.ts';

interface Props extends Omit<TextareaProps, 'value' | 'defaultValue'> {
  /** Names the draft in this tab. `keepDraft(draft, '')` removes it after the text is sent. */
  draft: string;
}

/** A text area whose text survives a reload. */
export function DraftTextarea({ draft, onChange, ...props }: Props) {
  const [text, setText] = useState(() => draftOf(draft));
  useEffect(() => keepDraft(draft, text), [draft, text]);
  return (
    <Textarea
      {...props}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange?.(event);
      }}
    />
  );
}
