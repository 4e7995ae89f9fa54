import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Api, api } from '../api/client.ts';
import { AppLink } from '../app/links.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { Instant } from '../parts/instant.tsx';
import { Pager } from '../parts/pager.tsx';
import { EVERY_STATE } from '../parts/state.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { usePages } from '../parts/use-pages.ts';
import { useSearch } from '../parts/use-search.ts';
import { countedGroups, type GroupId, groupOf, queryOf } from './change-groups.ts';
import { ChoiceChips } from './choice-chips.tsx';
import { StateMove } from './state-move.tsx';
import { changeReason, wouldName } from './words.ts';

type Change = Api['UploadChangeDto'];
type ChangesPage = Api['UploadChangesPageDto'];

const LIMIT = 25;

const columnsOf = (): Column<Change>[] => [
  {
    id: 'what',
    header: t`Finding or asset`,
    isTitle: true,
    cell: ({ finding, asset }) =>
      finding === null ? (
        <AppLink to={`/assets/${asset.id}`}>{asset.name}</AppLink>
      ) : (
        <AppLink to={`/findings/${finding.id}`}>{finding.name}</AppLink>
      ),
  },
  {
    id: 'asset',
    header: t`Asset`,
    cell: ({ finding, asset }) =>
      finding === null ? '–' : <AppLink to={`/assets/${asset.id}`}>{asset.name}</AppLink>,
  },
  {
    id: 'change',
    header: t({ message: 'Change', context: 'what happened to a finding' }),
    cell: ({ kind, change }) => (kind === 'asset' ? assetChangeText(wouldName(change)) : wouldName(change)),
  },
  { id: 'state', header: t`State`, cell: (change) => <StateMove {...change} /> },
  { id: 'why', header: t`Reason`, cell: ({ change, reason }) => changeReason(change, reason) || '–' },
  { id: 'entry', header: t`Entry`, cell: ({ cause: { entry } }) => entry ?? '–' },
];

const assetChangeText = (change: string): string => t`Asset: ${change}`;

/** What the fold of an upload changed: assets and findings with links, by kind of change. */
export function UploadChanges({ upload: { id, done } }: { upload: Api['UploadDto'] }) {
  const search = useSearch();
  const cursor = search.get('cursor');
  const group = groupOf(search.get('changes'));
  const changes = api.useQuery(
    'get',
    '/api/v3/uploads/{id}/changes',
    { params: { path: { id }, query: { ...queryOf(group), limit: LIMIT, ...(cursor && { cursor }) } } },
    { placeholderData: keepPreviousData },
  );
  const { refetch } = changes;
  const wasDone = useRef(done);
  useEffect(() => {
    if (done && !wasDone.current) void refetch();
    wasDone.current = done;
  }, [done, refetch]);
  return (
    <Stack gap="xs" component="section" aria-labelledby="upload-changes">
      <Title order={2} size="h4" id="upload-changes">
        {done ? t`What this upload changed` : t`What this upload changed so far`}
      </Title>
      <Answered query={changes} waiting={<Skeleton height={240} />}>
        {(page) => (
          <ChangesOnPage
            page={page}
            uploadId={id}
            group={group}
            isStale={changes.isPlaceholderData}
            onGroup={(chosen) => search.set({ changes: chosen === 'all' ? undefined : chosen })}
          />
        )}
      </Answered>
    </Stack>
  );
}

function ChangesOnPage({
  page,
  uploadId,
  group,
  isStale,
  onGroup,
}: {
  page: ChangesPage;
  uploadId: string;
  group: GroupId;
  isStale: boolean;
  onGroup: (group: GroupId) => void;
}) {
  const { items, recorded, counts, removed } = page;
  const pages = usePages({ data: page, isPlaceholderData: isStale });
  if (!recorded) {
    return (
      <Empty title={t`Unknown`}>
        <Trans>
          An earlier version of the service processed this upload and did not record its changes. The history
          of each finding contains them.
        </Trans>
      </Empty>
    );
  }
  const groups = countedGroups(counts ?? []);
  // Users who are limited to departments or locations get no counts.
  const changesFindings = (counts ?? items).some(({ kind }) => kind === 'finding');
  const isEmpty = items.length === 0 && pages.cursor === undefined && page.nextCursor === null;
  return (
    <Stack gap="xs">
      {changesFindings && (
        <AppLink to={`/findings?upload=${uploadId}&state=${EVERY_STATE}`}>
          <Trans>List the changed findings</Trans>
        </AppLink>
      )}
      {groups.length > 2 && <ChoiceChips choices={groups} value={group} onChoose={onGroup} />}
      {removed && (
        <Text size="sm">
          <Trans>
            Changes of findings before <Instant at={removed.before} /> may be missing: they were removed under
            the retention of the history. The numbers contain them.
          </Trans>
        </Text>
      )}
      {isEmpty ? (
        <Empty title={t`No changes`}>
          {counts?.length === 0
            ? t`The upload changed no finding and no asset. Signals that only confirm a state change nothing.`
            : t`No change of this kind is stored.`}
        </Empty>
      ) : (
        <>
          <DataTable
            label={t`Changes`}
            columns={columnsOf()}
            rows={items}
            idOf={({ kind, asset, finding, version }) => [kind, finding?.id ?? asset.id, version].join(' ')}
            isStale={isStale}
            hasCards
          />
          <Pager pages={pages} shown={items.length} />
        </>
      )}
    </Stack>
  );
}
