import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { AppLink } from '../app/links.tsx';
import { useMay, useSession } from '../session/session.ts';
import classes from './copyable.module.css';
import { Copyable } from './copyable.tsx';
import { curlLine } from './first-signal-line.ts';

const MINUTE_MS = 60_000;

/** A curl command that sends one signal as the current user. */
export function FirstSignal() {
  const session = useSession();
  const mayCreate = useMay('credentials:write');
  const token = session?.token ?? '';
  const [before, secret, behind] = useMemo(
    () => curlLine(window.location.origin, token, new Date()),
    [token],
  );
  const minutes = Math.max(1, Math.floor(((session?.expiresAt ?? 0) - Date.now()) / MINUTE_MS));
  return (
    <>
      <Text size="sm" mb="sm">
        <Trans>
          This signal reports that a web server lacks an OpenSSL update. Paste the command into a terminal
          with a POSIX shell (macOS, Linux, WSL, Git Bash):
        </Trans>
      </Text>
      <Copyable
        label={t`curl command that sends a first signal`}
        what={t`the curl command that sends a first signal`}
      >
        {before}
        <span className={classes.cut}>{secret}</span>
        {behind}
      </Copyable>
      <Text size="xs" c="dimmed" mt="xs">
        <Plural
          value={minutes}
          one="The command contains your session token, which expires in # minute. Do not share it."
          other="The command contains your session token, which expires in # minutes. Do not share it."
        />{' '}
        {mayCreate ? (
          <Trans>
            For scanners, create credentials in{' '}
            <AppLink to="/settings/credentials" underline="always">
              Settings, Credentials
            </AppLink>
            .
          </Trans>
        ) : (
          <Trans>For scanners, ask an admin for credentials.</Trans>
        )}
      </Text>
    </>
  );
}
