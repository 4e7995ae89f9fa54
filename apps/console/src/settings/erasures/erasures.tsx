import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useState } from 'react';
import { type Api, api } from '../../api/client.ts';
import type { Column } from '../../parts/data-table-props.ts';
import { EmptyPage } from '../../parts/empty-list.tsx';
import { Instant } from '../../parts/instant.tsx';
import { Answered } from '../../parts/states.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { useMayChange } from '../act.ts';
import { PAGED, usePageParams } from '../page-query.ts';
import { ShortList } from '../short-list.tsx';
import { ErasureForm } from './erasure-form.tsx';

export default function Erasures() {
  const mayChange = useMayChange('erasures:write');
  const [isOpen, setOpen] = useState(false);
  const query = api.useQuery('get', '/api/v3/erasures', { params: usePageParams() }, PAGED);
  const pages = usePages(query);
  return (
    <Stack>
      {mayChange && (
        <Group>
          <Button leftSection={<IconEraser size={16} aria-hidden />} onClick={() => setOpen(true)}>
            <Trans>Erase a subject</Trans>
          </Button>
        </Group>
      )}
      <Answered query={query} waiting={<Skeleton height={240} />}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyPage>
              <Text c="dimmed">
                <Trans>No erasures yet.</Trans>
              </Text>
            </EmptyPage>
          ) : (
            <ShortList
              label={t`Erasures`}
              rows={items}
              pages={pages}
              isStale={query.isPlaceholderData}
              columns={columns()}
            />
          )
        }
      </Answered>
      {isOpen && <ErasureForm onClose={() => setOpen(false)} />}
    </Stack>
  );
}

const columns = (): Column<Api['ErasureDto']>[] => [
  { id: 'subject', header: t`Subject`, cell: ({ id }) => <span dir="ltr">{id}</span> },
  { id: 'at', header: t`Erased`, cell: ({ at }) => (at === null ? '–' : <Instant at={at} />) },
  {
    id: 'by',
    header: t({ message: 'By', context: 'user who erased a subject' }),
    cell: ({ by }) => <bdi>{by ?? '–'}</bdi>,
  },
  {
    id: 'key',
    header: t`Key destroyed`,
    cell: ({ keyDestroyedAt }) => (keyDestroyedAt === null ? t`Not yet` : <Instant at={keyDestroyedAt} />),
  },
  { id: 'reason', header: t`Reason`, cell: ({ reason }) => <bdi>{reason ?? '–'}</bdi> },
];
