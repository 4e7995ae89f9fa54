import { Stack } from '@mantine/core';
import { api } from '../api/client.ts';
import { PageTitle } from '../parts/page-title.tsx';
import { Answered } from '../parts/states.tsx';
import { useAsOf } from '../time/as-of.ts';
import { Overview } from './overview.tsx';
import { Welcome } from './welcome.tsx';

/** The posture at a glance; where nothing has come in yet, the way to a first upload. */
export function Component() {
  const { asOf } = useAsOf();
  return asOf === null ? <Present /> : <Titled />;
}

function Present() {
  const assets = api.useQuery('get', '/api/v3/assets', { params: { query: { limit: 1 } } });
  return (
    <Answered query={assets} waiting={<PageTitle>Overview</PageTitle>}>
      {({ items }) => (items.length === 0 ? <Welcome /> : <Titled />)}
    </Answered>
  );
}

const Titled = () => (
  <Stack gap={0}>
    <PageTitle>Overview</PageTitle>
    <Overview />
  </Stack>
);
