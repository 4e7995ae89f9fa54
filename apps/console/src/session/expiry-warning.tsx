import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { date } from '../language/format.ts';
import { Dialog } from '../parts/dialog.tsx';
import { dismissWarning, useIsExpiring, useSession } from './session.ts';
import { extendSession } from './use-extension.ts';

/** Above every other dialog and every notification. */
export const SESSION_Z_INDEX = 1_000;

/** Warns before the session ends. Any activity extends the session, unless it has reached its longest duration. */
export function ExpiryWarning() {
  const session = useSession();
  const isExpiring = useIsExpiring();
  if (!session || !isExpiring) return null;
  const at = date(session.expiresAt, { timeStyle: 'medium' });
  return session.expiresAt < session.endsAt ? <IdleWarning at={at} /> : <EndWarning at={at} />;
}

function IdleWarning({ at }: { at: string }) {
  const [isBusy, setBusy] = useState(false);
  async function extend() {
    setBusy(true);
    await extendSession();
    setBusy(false);
  }
  return (
    <Dialog title={t`Are you still here?`} onClose={() => void extend()} zIndex={SESSION_Z_INDEX}>
      <Stack>
        <Text>
          <Trans>Your session ends at {at}, because there was no activity. Your input is kept.</Trans>
        </Text>
        <Group justify="flex-end">
          <Button onClick={() => void extend()} loading={isBusy} data-autofocus>
            <Trans>Stay signed in</Trans>
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function EndWarning({ at }: { at: string }) {
  return (
    <Dialog title={t`Your session ends soon`} onClose={dismissWarning} zIndex={SESSION_Z_INDEX}>
      <Stack>
        <Text>
          <Trans>
            Your session ends at {at}, because it has reached its longest duration. You can then sign in again
            on this page. Your input is kept.
          </Trans>
        </Text>
        <Group justify="flex-end">
          <Button onClick={dismissWarning} data-autofocus>
            <Trans>Continue</Trans>
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
