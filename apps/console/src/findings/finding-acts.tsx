import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Api } from '../api/client.ts';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import { isRevertible, RevertDialog } from './revert-dialog.tsx';

type Finding = Api['FindingDto'];

/** Actions that the state of the finding and the scopes of the user allow (R-ACC-1, R-AUTH-3). */
export function FindingActs({ finding }: { finding: Finding }) {
  const mayAccept = useMay('findings:accept');
  const { asOf } = useAsOf();
  // If the finding changes while a dialog is open, the dialog stays open and reports it.
  const [opened, setOpened] = useState<'accept' | 'revert' | null>(null);
  if (!mayAccept || asOf !== null) return null;
  const isHeld = finding.state === 'Failed' && finding.heldFailed !== null;
  const close = () => setOpened(null);
  return (
    <>
      {isRevertible(finding) && (
        <Button variant="default" onClick={() => setOpened('revert')}>
          {isHeld ? t`End the hold` : t`Revert`}
        </Button>
      )}
      {finding.state === 'Failed' && (
        <Button onClick={() => setOpened('accept')}>
          <Trans>Accept the risk</Trans>
        </Button>
      )}
      {opened === 'accept' && <AcceptDialog finding={finding} onClose={close} />}
      {opened === 'revert' && <RevertDialog finding={finding} onClose={close} />}
    </>
  );
}
