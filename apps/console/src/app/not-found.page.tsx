import { Stack, Text } from '@mantine/core';
import { PageTitle } from '../parts/page-title.tsx';
import { AppLink } from './links.tsx';

export function NotFoundPage() {
  return (
    <Stack align="flex-start">
      <PageTitle>Page not found</PageTitle>
      <Text>No page exists at this address.</Text>
      <AppLink to="/">Go to Overview</AppLink>
    </Stack>
  );
}
