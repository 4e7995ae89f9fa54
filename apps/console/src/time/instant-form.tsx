import { t } from '@lingui/core/macro';
import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { instantOfInput, localInput, ownZoneNote } from './local-input.ts';

interface Props {
  shown: number;
  now: number;
  /** What happens with the time, on the button. */
  act?: string;
  onPick: (asOf: string) => void;
}

/** Input of a time to the second, in the local time zone. */
export function InstantForm({ shown, now, act = t`Show`, onPick }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const at = instantOfInput(String(new FormData(event.currentTarget).get('instant')), shown);
    if (Number.isNaN(at)) return setProblem(t`Enter a date and a time.`);
    if (at > Date.now()) return setProblem(t`The time must be in the past.`);
    setProblem(null);
    onPick(new Date(at).toISOString());
  }
  return (
    <form onSubmit={submit} noValidate>
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <TextInput
          key={shown}
          type="datetime-local"
          name="instant"
          aria-label={t`Exact time`}
          description={ownZoneNote()}
          inputWrapperOrder={['input', 'description', 'error']}
          step={1}
          defaultValue={localInput(shown)}
          max={localInput(now)}
          error={problem}
          flex={1}
          miw={0}
        />
        <Button type="submit" variant="default">
          {act}
        </Button>
      </Group>
    </form>
  );
}
