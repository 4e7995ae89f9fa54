import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';

/** The cause of a step, with a link. */
export function StepCause({ cause }: { cause: Api['HistoryCauseDto'] }) {
  const { kind, uploadId, entry, integrationId, user } = cause;
  const upload = uploadId && `/uploads/${uploadId}`;
  switch (kind) {
    case 'zip':
      return (
        <>
          <Linked to={upload}>{t`ZIP upload`}</Linked>
          {entry && (
            <>
              , <Trans>entry {entry}</Trans>
            </>
          )}
          {user && (
            <>
              , <Trans>by {user}</Trans>
            </>
          )}
        </>
      );
    case 'json':
      return user ? (
        <Trans>
          <Linked to={upload}>signal</Linked> by {user}
        </Trans>
      ) : (
        <Linked to={upload}>{t`signal`}</Linked>
      );
    case 'inbox':
      return <Linked to={upload}>{t`signal of the inbox`}</Linked>;
    case 'sync': {
      const integration = integrationId && `/integrations/${integrationId}`;
      return upload === null ? (
        <Linked to={integration}>{t`integration sync`}</Linked>
      ) : (
        <Trans>
          <Linked to={integration}>integration sync</Linked> (<Linked to={upload}>page</Linked>)
        </Trans>
      );
    }
    case 'user':
      return user ? <Trans>by {user}</Trans> : t`by a user`;
    default:
      return t`by the service, after a time limit`;
  }
}

/** A link if there is an address. */
function Linked({ to, children }: { to: string | null; children: ReactNode }) {
  if (to === null) return children;
  return (
    <AppLink to={to} inherit underline="always">
      {children}
    </AppLink>
  );
}
