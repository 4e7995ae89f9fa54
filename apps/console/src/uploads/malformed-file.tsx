import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { Draft } from './draft.ts';
import { skipMalformed } from './drafts.ts';
import { EntryMessages } from './entry-messages.tsx';
import { ReportOptionsForm } from './report-options-form.tsx';
import type { FileKind } from './selected-file.ts';
import type { Rejection } from './send.ts';
import { sentence } from './words.ts';

/** Errors of a rejected file by entry, with the option to skip malformed entries. */
export function MalformedFile({ draft, rejection }: { draft: Draft; rejection: Rejection }) {
  const { id, read } = draft;
  const { errors = [], message } = rejection;
  const found = entriesOf(rejection);
  const valid = found && found.all - found.malformed;
  return (
    <Stack gap="sm">
      <Alert color="red" title={titleOf(read?.kind ?? 'zip', found)}>
        {errors.length === 0 ? sentence(message) : t`Nothing was stored.`}
      </Alert>
      {errors.length > 0 && <EntryMessages label={t`Errors`} messages={errors} />}
      {found && found.malformed > errors.length && (
        <Text size="sm">
          <Plural
            value={errors.length}
            one="Only the first error is listed."
            other="Only the first # errors are listed."
          />
        </Text>
      )}
      {read?.kind === 'report' ? (
        <ReportOptionsForm draft={draft} />
      ) : (
        <Text size="sm">
          {errors.length > 0
            ? t`Correct these errors and upload the file again.`
            : t`Correct this error and upload the file again.`}{' '}
          <Trans>
            For the format of signals, see the{' '}
            <Anchor href="/docs" target="_blank" underline="always" inherit>
              API documentation
            </Anchor>
            .
          </Trans>
        </Text>
      )}
      {found && valid ? (
        <Group gap="sm">
          <Button variant="default" onClick={() => skipMalformed(id)}>
            <Trans>Skip malformed entries and preview the rest</Trans>
          </Button>
          <Text size="sm" c="dimmed" maw={520}>
            <Trans>A full assessment then retires no findings on the assets of malformed entries.</Trans>
          </Text>
        </Group>
      ) : null}
    </Stack>
  );
}

/** Counts from the error message. Without counts, entries cannot be skipped. */
function entriesOf({ message }: Rejection): { malformed: number; all: number } | null {
  const [, malformed, all] = /^(\d+) of (\d+) entries malformed/.exec(message) ?? [];
  return all === undefined ? null : { malformed: Number(malformed), all: Number(all) };
}

function titleOf(kind: FileKind, found: { malformed: number; all: number } | null): string {
  if (kind === 'json') return t`This signal is malformed`;
  if (kind === 'report') return t`This report cannot be read`;
  if (!found) return t`This ZIP is invalid`;
  const all = plural(found.all, { one: '# entry', other: '# entries' });
  return plural(found.malformed, { one: `# of ${all} is malformed`, other: `# of ${all} are malformed` });
}
