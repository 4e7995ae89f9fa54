import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { PageTitle } from '../parts/page-title.tsx';

/** Name and type. Users cannot change assets; only sources do. */
export function AssetHead({ asset }: { asset: Api['AssetDto'] }) {
  const { name, entityType, type, attackSurface, department, location } = asset;
  return (
    <PageTitle
      name={name}
      above={
        <Text size="sm" c="dimmed">
          {entityType === 'user' ? t`User` : t`Machine`} · <bdi>{type}</bdi> · <bdi>{attackSurface}</bdi> ·{' '}
          <bdi>{department}</bdi> · <bdi>{location}</bdi>
        </Text>
      }
    >
      <bdi>{name}</bdi>
    </PageTitle>
  );
}
