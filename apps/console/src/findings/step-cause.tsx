import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';

/** The cause of a step, with a link. */
export function StepCause({ cause }: { cause: Api['HistoryCauseDto'] }) {
  const { kind, uploadId, entry, integrationId, user } = cause;
  const upload = (words: ReactNode) =>
    uploadId === null ? (
      words
    ) : (
      <AppLink to={`/uploads/${uploadId}`} inherit underline="always">
        {words}
      </AppLink>
    );
  switch (kind) {
    case 'zip':
      return (
        <>
          {upload(t`ZIP upload`)}
          {entry && t`, entry ${entry}`}
          {user && t`, by ${user}`}
        </>
      );
    case 'json':
      return (
        <>
          {upload('signal')}
          {user && ` by ${user}`}
        </>
      );
    case 'inbox':
      return upload(t`signal of the inbox`);
    case 'sync':
      return (
        <>
          {integrationId === null ? (
            t`integration sync`
          ) : (
            <AppLink to={`/integrations/${integrationId}`} inherit underline="always">
              <Trans>integration sync</Trans>
            </AppLink>
          )}
          {uploadId !== null && <> ({upload('page')})</>}
        </>
      );
    case 'user':
      return `by ${user ?? t`a user`}`;
    default:
      return t`by the service, after a time limit`;
  }
}
