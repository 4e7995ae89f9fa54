import { Button } from '@mantine/core';
import { Dialog } from '../parts/dialog.tsx';
import { endSession, useIsWaiting, useSession, whyEnded } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Above every other dialog and every notification. */
const Z_INDEX = 1_000;

/** Sign-in after the session expires. It covers the page, so that unsaved input is kept. */
export function SignInDialog() {
  const session = useSession();
  const isWaiting = useIsWaiting();
  if (!session || !isWaiting || whyEnded() !== 'expired') return null;
  return (
    <Dialog
      title="Sign in again"
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      zIndex={Z_INDEX}
      overlayProps={{ blur: 6 }}
    >
      <SignInForm
        username={session.username}
        why="Your session has ended. Sign in to continue. Your input is kept."
      >
        <Button variant="subtle" size="compact-sm" onClick={() => endSession('signedOut')}>
          Leave this page and sign in as another user
        </Button>
      </SignInForm>
    </Dialog>
  );
}
