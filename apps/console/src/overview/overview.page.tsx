import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { Suspense } from 'react';
import { api } from '../api/client.ts';
import { retryableLazy } from '../app/retryable-lazy.tsx';
import { PageTitle } from '../parts/page-title.tsx';
import { Answered } from '../parts/states.tsx';
import { useMay } from '../session/session.ts';
import { useAsOf } from '../time/as-of.ts';
import { BoardReport } from './board-report.tsx';
import { Overview } from './overview.tsx';

/** Only the first visits need it. */
const Welcome = retryableLazy(async () => (await import('./welcome.tsx')).Welcome);

const Waiting = () => <PageTitle>{t`Overview`}</PageTitle>;

/** The overview, or instructions for a first upload if no data exists. */
export function Component() {
  const { asOf } = useAsOf();
  return asOf === null ? <Present /> : <Titled />;
}

function Present() {
  return useMay('assets:read') ? <WithAssets /> : <Titled />;
}

function WithAssets() {
  const assets = api.useQuery('get', '/api/v3/assets', { params: { query: { limit: 1 } } });
  return (
    <Suspense fallback={<Waiting />}>
      <Answered query={assets} waiting={<Waiting />}>
        {({ items }) => (items.length === 0 ? <Welcome /> : <Titled />)}
      </Answered>
    </Suspense>
  );
}

const Titled = () => (
  <Stack gap={0}>
    <PageTitle actions={<BoardReport />}>{t`Overview`}</PageTitle>
    <Overview />
  </Stack>
);
