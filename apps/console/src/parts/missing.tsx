import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { Failure } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { useAsOf } from '../time/as-of.ts';
import { fullInstant } from './instant.tsx';
import { PageTitle } from './page-title.tsx';
import { Empty } from './states.tsx';

/** Whether an error means not found. An invalid ID returns 400. */
export const isMissing = (error: Failure | null): boolean =>
  error !== null && !(error instanceof Error) && [400, 404].includes(error.statusCode);

/** No item has this ID, or it did not exist at the displayed time. */
export function Missing({ what, list }: { what: string; list: { to: string; label: string } }) {
  const { asOf, set } = useAsOf();
  const noun = what.charAt(0).toUpperCase() + what.slice(1);
  return (
    <>
      <PageTitle>{asOf === null ? t`${noun} not found` : t`${noun} not found at this time`}</PageTitle>
      {asOf === null ? (
        <Empty title={t`No ${what} has this ID`}>
          <Trans>
            The link may be incomplete or from another installation.
            <br />
            <AppLink to={list.to} inherit underline="always">
              {list.label}
            </AppLink>
          </Trans>
        </Empty>
      ) : (
        <Empty title={t`No data exists for this ${what} on ${fullInstant(asOf)}`}>
          <Button mt="sm" size="xs" onClick={() => set(null)}>
            <Trans>Show current state</Trans>
          </Button>
        </Empty>
      )}
    </>
  );
}
