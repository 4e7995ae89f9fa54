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
export function Missing({ what }: { what: 'asset' | 'finding' }) {
  const { asOf, set } = useAsOf();
  const words = what === 'asset' ? assetWords() : findingWords();
  return (
    <>
      <PageTitle>{asOf === null ? words.title : words.titleThen}</PageTitle>
      {asOf === null ? (
        <Empty title={words.none}>
          <Trans>The link may be incomplete or from another installation.</Trans>
          <br />
          <AppLink to={words.list} inherit underline="always">
            {words.all}
          </AppLink>
        </Empty>
      ) : (
        <Empty title={words.noneAt(fullInstant(asOf))}>
          <Button mt="sm" size="xs" onClick={() => set(null)}>
            <Trans>Show current state</Trans>
          </Button>
        </Empty>
      )}
    </>
  );
}

const assetWords = () => ({
  title: t`Asset not found`,
  titleThen: t`Asset not found at this time`,
  none: t`No asset has this ID`,
  noneAt: (time: string) => t`No data exists for this asset on ${time}`,
  list: '/assets',
  all: t`All assets`,
});

const findingWords = () => ({
  title: t`Finding not found`,
  titleThen: t`Finding not found at this time`,
  none: t`No finding has this ID`,
  noneAt: (time: string) => t`No data exists for this finding on ${time}`,
  list: '/findings',
  all: t`All findings`,
});
