import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { AppLink } from '../app/links.tsx';
import { useMay, useSession } from '../session/session.ts';
import classes from './copyable.module.css';
import { Copyable } from './copyable.tsx';
import { curlLine } from './first-signal-line.ts';

const MINUTE_MS = 60_000;

/** One signal by curl, as whoever is signed in. */
export function FirstSignal() {
  const session = useSession();
  const { administer } = useMay();
  const token = session?.token ?? '';
  const [before, secret, behind] = useMemo(
    () => curlLine(window.location.origin, token, new Date()),
    [token],
  );
  const minutes = Math.max(1, Math.floor(((session?.expiresAt ?? 0) - Date.now()) / MINUTE_MS));
  return (
    <>
      <Text size="sm" mb="sm">
        It says that a web server lacks an OpenSSL update. Paste it into a terminal (a POSIX shell: macOS,
        Linux, WSL, Git Bash):
      </Text>
      <Copyable label="curl line that sends a first signal">
        {before}
        <span className={classes.cut}>{secret}</span>
        {behind}
      </Copyable>
      <Text size="xs" c="dimmed" mt="xs">
        It carries the token of your session, which ends in {minutes} {minutes === 1 ? 'minute' : 'minutes'}:
        share it with nobody. Scanners get credentials of their own
        {administer ? (
          <>
            {' '}
            under{' '}
            <AppLink to="/settings/credentials" underline="always">
              Settings, Credentials
            </AppLink>
          </>
        ) : (
          ' from an admin'
        )}
        .
      </Text>
    </>
  );
}
