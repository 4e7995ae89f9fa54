import { Button } from '@mantine/core';
import { Dialog } from '../parts/dialog.tsx';
import { endSession, useIsWaiting, useSession, whyEnded } from './session.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Above every other dialog and every notification. */
const Z_INDEX = 1_000;

/** Asks the user of an ended session to sign in, over the page, which keeps all that was typed. */
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
        why="Your session has ended. Sign in to go on: what you have typed is still there."
      >
        <Button variant="subtle" size="compact-sm" onClick={() => endSession('signedOut')}>
          Leave this page, and sign in as another user
        </Button>
      </SignInForm>
    </Dialog>
  );
}
