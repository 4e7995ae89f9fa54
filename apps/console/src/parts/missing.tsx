import { Button } from '@mantine/core';
import type { Failure } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { useAsOf } from '../time/as-of.ts';
import { fullInstant } from './instant.tsx';
import { PageTitle } from './page-title.tsx';
import { Empty } from './states.tsx';

/** Whether a failure says that there is no such thing; an id that none can have is a 400. */
export const isMissing = (error: Failure | null): boolean =>
  error !== null && !(error instanceof Error) && [400, 404].includes(error.statusCode);

/** Nothing has this id, or nothing had it yet at the instant that is shown. */
export function Missing({ what, list }: { what: string; list: { to: string; label: string } }) {
  const { asOf, set } = useAsOf();
  return (
    <>
      <PageTitle>{asOf === null ? `No such ${what}` : `No such ${what} then`}</PageTitle>
      {asOf === null ? (
        <Empty title={`No ${what} has this id`}>
          The link may be incomplete, or from another installation.
          <br />
          <AppLink to={list.to} inherit underline="always">
            {list.label}
          </AppLink>
        </Empty>
      ) : (
        <Empty title={`On ${fullInstant(asOf)} this ${what} was not known yet`}>
          <Button mt="sm" size="xs" onClick={() => set(null)}>
            See it now
          </Button>
        </Empty>
      )}
    </>
  );
}
