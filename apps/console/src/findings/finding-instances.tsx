import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Spoiler, Text } from '@mantine/core';
import { useMemo } from 'react';
import { type Api, api } from '../api/client.ts';
import { PAGES } from '../api/pages.ts';
import { number } from '../language/format.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { Panel } from '../parts/panel.tsx';
import { type FindingState, State } from '../parts/state.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { useShownPart } from '../parts/use-shown-part.tsx';
import { useAsOf } from '../time/as-of.ts';
import classes from './finding.module.css';

type Instance = Api['InstanceDto'];

const instanceColumns = (): Column<Instance>[] => [
  {
    id: 'key',
    header: t`Instance`,
    cell: ({ key }) => (
      <span className={classes.vector} dir="auto">
        {key || t`Entire finding`}
      </span>
    ),
  },
  { id: 'status', header: t`Status`, cell: ({ status }) => <State of={status as FindingState} /> },
  {
    id: 'counted',
    header: t`Counted`,
    cell: ({ counted }) =>
      counted ? (
        t`Yes`
      ) : (
        <span title={t`Excluded from pass/fail and from scoring`}>
          <Trans>No</Trans>
        </span>
      ),
  },
  { id: 'evidence', header: t`Evidence`, cell: ({ evidence }) => <Evidence text={evidence} /> },
  { id: 'tags', header: t`Tags`, cell: ({ tags }) => <Tags tags={tags} /> },
];

const INSTANCES_AT_ONCE = 200;

/** Locations on the asset: ports, detections or observations; those of a finding with very many are loaded in pages. */
export function FindingInstances({ finding }: { finding: Api['FindingDto'] }) {
  const { instances, instanceCount } = finding;
  const count = number(instanceCount);
  return (
    <Panel title={t`Instances (${count})`}>
      {instances.length < instanceCount ? <PagedInstances id={finding.id} /> : <Instances of={instances} />}
    </Panel>
  );
}

function Instances({ of }: { of: Instance[] }) {
  const { shown, more } = useShownPart(of);
  if (of.length === 0) return <Empty title={t`No instances`} />;
  return (
    <>
      <Table rows={shown} />
      {more}
    </>
  );
}

function PagedInstances({ id }: { id: string }) {
  const asOf = useAsOf();
  const query = api.useInfiniteQuery(
    'get',
    '/api/v3/findings/{id}/instances',
    { params: { path: { id }, query: { ...asOf.query, limit: INSTANCES_AT_ONCE } } },
    PAGES,
  );
  return (
    <Answered query={query}>
      {({ pages }) => (
        <>
          <Table rows={pages.flatMap(({ items }) => items)} />
          {query.hasNextPage && (
            <Button
              variant="default"
              size="xs"
              mt="sm"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              <Trans>Load more</Trans>
            </Button>
          )}
        </>
      )}
    </Answered>
  );
}

function Table({ rows }: { rows: readonly Instance[] }) {
  const columns = useMemo(instanceColumns, []);
  return <DataTable label={t`Instances`} columns={columns} rows={rows} idOf={({ key }) => key} />;
}

const Evidence = ({ text }: { text: string | null }) =>
  text === null ? (
    <Text size="sm" c="dimmed">
      –
    </Text>
  ) : (
    <Spoiler maxHeight={64} showLabel={t`More`} hideLabel={t`Less`}>
      <div className={classes.text} dir="auto">
        {text}
      </div>
    </Spoiler>
  );

const Tags = ({ tags }: { tags: Record<string, string[]> }) => (
  <Group gap={4}>
    {Object.entries(tags).map(([name, values]) => (
      <Badge key={name} variant="default" tt="none" fw={500} dir="auto">
        {name}: {values.join(', ')}
      </Badge>
    ))}
  </Group>
);
