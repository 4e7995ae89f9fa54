import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Table } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { number } from '../language/format.ts';
import { fullInstant, Instant } from '../parts/instant.tsx';
import classes from './history-table.module.css';
import { SyncBadge } from './sync-badge.tsx';
import { hasDetails, SyncDetails } from './sync-counts.tsx';
import { actionOf, countsOf, durationOf, type Sync, stageOf } from './sync-words.ts';

const headers = (): readonly (readonly [header: string, align?: 'end'])[] => [
  [t`Time`],
  [t({ message: 'Action', context: 'why a sync runs' })],
  [t`Started by`],
  [t`Stage`],
  [t`Status`],
  [t`Pulled`],
  [t`Records`, 'end'],
  [t`Signals`, 'end'],
  [t({ message: 'Created', context: 'number of findings' }), 'end'],
  [t({ message: 'Updated', context: 'number of findings' }), 'end'],
  [t({ message: 'Unchanged', context: 'number of findings' }), 'end'],
  [t({ message: 'Failed', context: 'number of records' }), 'end'],
  [t`Duration`, 'end'],
];

/** Findings by outcome. */
const OUTCOMES = ['created', 'updated', 'unchanged'] as const;

export function HistoryTable({ syncs, isStale }: { syncs: readonly Sync[]; isStale: boolean }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const after = new Set(opened);
    if (!after.delete(id)) after.add(id);
    setOpened(after);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={classes.scroll} aria-label={t`History of syncs`} tabIndex={0} aria-busy={isStale}>
      <Table verticalSpacing="xs" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40}>
              <span className={classes.unseen}>
                <Trans>Details</Trans>
              </span>
            </Table.Th>
            {headers().map(([header, align]) => (
              <Table.Th key={header} ta={align}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {syncs.map((sync) => (
            <Fragment key={sync.syncId}>
              <SyncRow sync={sync} isOpen={opened.has(sync.syncId)} onToggle={() => toggle(sync.syncId)} />
              {opened.has(sync.syncId) && (
                <Table.Tr className={classes.detail}>
                  <Table.Td />
                  <Table.Td colSpan={headers().length}>
                    <SyncDetails sync={sync} />
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function SyncRow({ sync, isOpen, onToggle }: { sync: Sync; isOpen: boolean; onToggle: () => void }) {
  const counts = countsOf(sync);
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  const requested = fullInstant(sync.requestedAt);
  return (
    <Table.Tr>
      <Table.Td>
        {hasDetails(sync) && (
          <ActionIcon
            variant="subtle"
            size="sm"
            aria-expanded={isOpen}
            aria-label={t`Details of the sync of ${requested}`}
            onClick={onToggle}
          >
            <Icon size={16} className="mirrored" aria-hidden />
          </ActionIcon>
        )}
      </Table.Td>
      <Table.Td>
        <Instant at={sync.requestedAt} />
      </Table.Td>
      <Table.Td>{actionOf(sync)}</Table.Td>
      <Table.Td>{sync.startedBy === null ? t`Service` : <bdi>{sync.startedBy}</bdi>}</Table.Td>
      <Table.Td>{stageOf(sync)}</Table.Td>
      <Table.Td>
        <SyncBadge sync={sync} />
      </Table.Td>
      <Table.Td>{sync.full ? t`All data` : t`Changes`}</Table.Td>
      <Table.Td ta="end">{number(counts.records)}</Table.Td>
      <Table.Td ta="end">{number(counts.signals)}</Table.Td>
      {OUTCOMES.map((name) => (
        <Table.Td key={name} ta="end">
          {sync.outcome ? number(sync.outcome[name]) : '–'}
        </Table.Td>
      ))}
      <Table.Td ta="end">{number(counts.failed)}</Table.Td>
      <Table.Td ta="end">{durationOf(sync)}</Table.Td>
    </Table.Tr>
  );
}
