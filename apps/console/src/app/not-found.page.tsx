import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { PageTitle } from '../parts/page-title.tsx';
import { AppLink } from './links.tsx';

export function NotFoundPage() {
  return (
    <Stack align="flex-start">
      <PageTitle>{t`Page not found`}</PageTitle>
      <Text>
        <Trans>No page exists at this address.</Trans>
      </Text>
      <AppLink to="/">
        <Trans>Go to Overview</Trans>
      </AppLink>
    </Stack>
  );
}
