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
          {upload('ZIP upload')}
          {entry && `, entry ${entry}`}
          {user && `, by ${user}`}
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
      return upload('signal of the inbox');
    case 'sync':
      return (
        <>
          {integrationId === null ? (
            'integration sync'
          ) : (
            <AppLink to={`/integrations/${integrationId}`} inherit underline="always">
              integration sync
            </AppLink>
          )}
          {uploadId !== null && <> ({upload('page')})</>}
        </>
      );
    case 'user':
      return `by ${user ?? 'a user'}`;
    default:
      return 'by the service, after a time limit';
  }
}
