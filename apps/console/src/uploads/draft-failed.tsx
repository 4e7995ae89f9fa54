import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Draft, Failed, Step } from './draft.ts';
import { preview, upload } from './drafts.ts';
import { sentence } from './words.ts';

/** The error of a preview or an upload, with a retry after the delay that the service requests. */
export function DraftFailed({
  draft: { id },
  step: { during, failed, failedAt },
}: {
  draft: Draft;
  step: Extract<Step, { at: 'failed' }>;
}) {
  const { title, text, canRetry } = messageOf(failed, during);
  const retryIn = failed.as === 'rejected' ? retryAfterSeconds(failed) : 0;
  const seconds = useSecondsUntil(failedAt + retryIn * 1000);
  const again = during === 'preview' ? preview : upload;
  return (
    <Stack gap="sm">
      <Alert color="red" role="alert" title={title}>
        {text}
      </Alert>
      {canRetry && (
        <Group gap="sm">
          <Button disabled={seconds > 0} onClick={() => again(id)}>
            <Trans>Try again</Trans>
          </Button>
          {seconds > 0 && (
            <Text size="sm" c="dimmed" className="numeric">
              {waitText(seconds)}
            </Text>
          )}
        </Group>
      )}
    </Stack>
  );
}

function messageOf(failed: Failed, during: 'preview' | 'upload') {
  if (failed.as === 'lost') {
    const text =
      during === 'preview'
        ? t`The service is not responding. Nothing was stored.`
        : t`The file may or may not have arrived. Try again. Repeated uploads of this file count once.`;
    return { title: t`Connection lost`, text, canRetry: true };
  }
  const { statusCode, message } = failed.rejection;
  switch (statusCode) {
    case 413:
      return { title: t`The file is too large`, text: sentence(message), canRetry: false };
    case 415:
      return {
        title: t`Unsupported file type`,
        text: t`Select a report, a ZIP or a JSON file.`,
        canRetry: false,
      };
    case 401:
      return { title: t`Your session has ended`, text: t`You are signed in again.`, canRetry: true };
    case 403:
      return { title: t`Your role cannot upload`, text: t`Ask an admin for another role.`, canRetry: false };
    case 429:
      return {
        title: t`The service is busy`,
        text: busyText(retryAfterSeconds(failed)),
        canRetry: true,
      };
    case 503:
      return {
        title: t`The service is temporarily unavailable`,
        text: `${sentence(message)} ${during === 'preview' ? t`Nothing was stored.` : t`Try again. Repeated uploads of this file count once.`}`,
        canRetry: true,
      };
    default:
      return { title: t`The request failed`, text: sentence(message), canRetry: true };
  }
}

const retryAfterSeconds = ({
  rejection: { retryIn, message, statusCode },
}: Extract<Failed, { as: 'rejected' }>): number => retryIn ?? (statusCode === 429 ? Number(message) || 1 : 0);

const MINUTES_FROM_S = 120;
const HOURS_FROM_S = 7_200;

function waitText(seconds: number): string {
  if (seconds < MINUTES_FROM_S) return plural(seconds, { one: 'in # second', other: 'in # seconds' });
  const minutes = Math.round(seconds / 60);
  if (seconds < HOURS_FROM_S) return plural(minutes, { one: 'in # minute', other: 'in # minutes' });
  return plural(Math.round(seconds / 3_600), { one: 'in # hour', other: 'in # hours' });
}

function busyText(seconds: number): string {
  const wait = waitText(seconds);
  return t`Try again ${wait}. Nothing was stored.`;
}

/** Seconds until `at`, at least 0. */
function useSecondsUntil(at: number): number {
  const left = () => Math.max(0, Math.ceil((at - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `left` depends only on `at`
  useEffect(() => {
    setSeconds(left());
    const timer = window.setInterval(() => setSeconds(left()), 250);
    return () => window.clearInterval(timer);
  }, [at]);
  return seconds;
}
