import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Api } from '../api/client.ts';
import { number } from '../language/format.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { type FindingType, typeNames } from '../parts/finding-type.ts';
import { Pager } from '../parts/pager.tsx';
import { Empty } from '../parts/states.tsx';
import { ChoiceChips } from './choice-chips.tsx';
import { StateMove } from './state-move.tsx';
import { changeReason, WOULDS, type Would, wouldName } from './words.ts';

type Row = Api['WouldDto'] & { key: number };

const PAGE_ROWS = 20;

const columnsOf = (): Column<Row>[] => [
  {
    id: 'would',
    header: t({ message: 'Change', context: 'what happened to a finding' }),
    cell: ({ would }) => wouldName(would),
  },
  {
    id: 'finding',
    header: t`Finding`,
    cell: ({ name }) =>
      name ?? (
        <Text c="dimmed">
          <Trans>Asset only</Trans>
        </Text>
      ),
  },
  { id: 'asset', header: t`Asset`, cell: ({ asset }) => asset },
  { id: 'state', header: t`State`, cell: (row) => <StateMove {...row} /> },
  {
    id: 'type',
    header: t`Type`,
    cell: ({ type }) => (type === null ? '–' : (typeNames()[type as FindingType] ?? type)),
  },
  { id: 'why', header: t`Reason`, cell: ({ would, reason }) => changeReason(would, reason) },
];

/** Previewed changes of findings. Filtered and searched in the browser, because the response is complete. */
export function PreviewTable({ findings, leftOut }: { findings: Api['WouldDto'][]; leftOut: number }) {
  const [group, setGroup] = useState<Would | 'all'>('all');
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(0);
  const rows = useMemo(() => inOrder(findings), [findings]);
  const shown = rows.filter(
    (row) => (group === 'all' || row.would === group) && isFound(row, search.trim().toLowerCase()),
  );
  const [listed, all] = [number(findings.length), number(findings.length + leftOut)];
  const start = page * PAGE_ROWS;
  const pages = {
    cursor: undefined,
    number: page + 1,
    first: page > 0 ? () => setPage(0) : undefined,
    previous: page > 0 ? () => setPage(page - 1) : undefined,
    next: start + PAGE_ROWS < shown.length ? () => setPage(page + 1) : undefined,
  };
  const onPage = shown.slice(start, start + PAGE_ROWS);
  return (
    <Stack gap="xs" component="section" aria-label={t`Changes by finding`}>
      <Group justify="space-between">
        <Title order={3} size="h5">
          <Trans>Changes by finding</Trans>
        </Title>
        <TextInput
          aria-label={t`Search in the preview`}
          placeholder={t`Asset or finding`}
          leftSection={<IconSearch size={16} aria-hidden />}
          size="xs"
          value={search}
          onChange={({ currentTarget: { value } }) => {
            setSearch(value);
            setPage(0);
          }}
        />
      </Group>
      <Groups
        rows={rows}
        group={group}
        onGroup={(next) => {
          setGroup(next);
          setPage(0);
        }}
      />
      {leftOut > 0 && (
        <Text size="sm">
          <Trans>
            Only the first {listed} of {all} changes are listed.
          </Trans>
        </Text>
      )}
      {onPage.length > 0 ? (
        <DataTable
          label={t`Previewed changes`}
          columns={columnsOf()}
          rows={onPage}
          idOf={({ key }) => String(key)}
        />
      ) : (
        <Empty title={t`No matching changes`} />
      )}
      {shown.length > PAGE_ROWS && <Pager pages={pages} shown={onPage.length} total={shown.length} />}
    </Stack>
  );
}

function Groups({
  rows,
  group,
  onGroup,
}: {
  rows: Row[];
  group: Would | 'all';
  onGroup: (group: Would | 'all') => void;
}) {
  const count = (would: Would) => rows.filter((row) => row.would === would).length;
  const present = WOULDS.map((value) => ({
    value,
    label: wouldName(value),
    count: count(value),
  })).filter(({ count: some }) => some > 0);
  if (present.length < 2) return null;
  const all = { value: 'all' as const, label: t`All`, count: rows.length };
  return <ChoiceChips choices={[all, ...present]} value={group} onChoose={onGroup} />;
}

const inOrder = (findings: Api['WouldDto'][]): Row[] =>
  findings
    .map((finding, key) => ({ ...finding, key }))
    .sort((a, b) => WOULDS.indexOf(a.would) - WOULDS.indexOf(b.would) || a.key - b.key);

const isFound = ({ asset, name }: Row, search: string): boolean =>
  search === '' || [asset, name].some((text) => text?.toLowerCase().includes(search));
