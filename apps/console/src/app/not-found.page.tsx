import { Stack, Text } from '@mantine/core';
import { PageTitle } from '../parts/page-title.tsx';
import { AppLink } from './links.tsx';

export function NotFoundPage() {
  return (
    <Stack align="flex-start">
      <PageTitle>No such page</PageTitle>
      <Text>Nothing is shown at this address.</Text>
      <AppLink to="/">To the overview</AppLink>
    </Stack>
  );
}
