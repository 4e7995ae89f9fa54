import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { Draft } from './draft.ts';
import { leaveOutMalformed } from './drafts.ts';
import { EntryMessages } from './entry-messages.tsx';
import type { Refusal } from './send.ts';
import { counted, sentence } from './words.ts';

/** Why a file was refused, entry by entry, how it is mended, and the way to go on without what is malformed. */
export function MalformedFile({ draft: { id, read }, refusal }: { draft: Draft; refusal: Refusal }) {
  const { errors = [], message } = refusal;
  const found = entriesOf(refusal);
  const valid = found && found.all - found.malformed;
  return (
    <Stack gap="sm">
      <Alert color="red" title={titleOf(read?.kind === 'json', found)}>
        {errors.length === 0 ? sentence(message) : 'Nothing was stored.'}
      </Alert>
      {errors.length > 0 && <EntryMessages label="What is malformed" messages={errors} />}
      {found && found.malformed > errors.length && (
        <Text size="sm">The first {errors.length} remarks are listed.</Text>
      )}
      <Text size="sm">
        Mend {errors.length > 0 ? 'these' : 'this'} where the file is made, and drop it here again. What a
        signal may hold is described in the{' '}
        <Anchor href="/docs" target="_blank" underline="always" inherit>
          HTTP interface
        </Anchor>
        .
      </Text>
      {found && valid ? (
        <Group gap="sm">
          <Button variant="default" onClick={() => leaveOutMalformed(id)}>
            Leave {found.malformed === 1 ? 'it' : 'them'} out and preview the rest
          </Button>
          <Text size="sm" c="dimmed" maw={520}>
            A ZIP that replaces assessments then retires nothing on the assets of malformed entries.
          </Text>
        </Group>
      ) : null}
    </Stack>
  );
}

/** The refusal counts in its sentence alone; without a count nothing can be left out. */
function entriesOf({ message }: Refusal): { malformed: number; all: number } | null {
  const [, malformed, all] = /^(\d+) of (\d+) entries malformed/.exec(message) ?? [];
  return all === undefined ? null : { malformed: Number(malformed), all: Number(all) };
}

function titleOf(isSignal: boolean, found: { malformed: number; all: number } | null): string {
  if (isSignal) return 'This signal is malformed';
  if (!found) return 'This ZIP cannot be taken';
  return `${found.malformed.toLocaleString()} of ${counted(found.all, 'entry', 'entries')} ${
    found.malformed === 1 ? 'is' : 'are'
  } malformed`;
}
