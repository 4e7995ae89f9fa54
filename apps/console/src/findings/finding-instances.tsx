import { Badge, Group, Spoiler, Text } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { Panel } from '../parts/panel.tsx';
import { type FindingState, State } from '../parts/state.tsx';
import { Empty } from '../parts/states.tsx';
import { useShownPart } from '../parts/use-shown-part.tsx';
import classes from './finding.module.css';

type Instance = Api['InstanceDto'];

const COLUMNS: Column<Instance>[] = [
  {
    id: 'key',
    header: 'Instance',
    cell: ({ key }) => <span className={classes.vector}>{key || 'Entire finding'}</span>,
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <State of={status as FindingState} /> },
  {
    id: 'counted',
    header: 'Counted',
    cell: ({ counted }) =>
      counted ? 'Yes' : <span title="Excluded from pass/fail and from scoring">No</span>,
  },
  { id: 'evidence', header: 'Evidence', cell: ({ evidence }) => <Evidence text={evidence} /> },
  { id: 'tags', header: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
];

/** Locations on the asset: ports, detections or observations. */
export function FindingInstances({ finding: { instances } }: { finding: Api['FindingDto'] }) {
  const { shown, more } = useShownPart(instances);
  return (
    <Panel title={`Instances (${instances.length.toLocaleString()})`}>
      {instances.length === 0 ? (
        <Empty title="No instances" />
      ) : (
        <DataTable label="Instances" columns={COLUMNS} rows={shown} idOf={({ key }) => key} />
      )}
      {more}
    </Panel>
  );
}

const Evidence = ({ text }: { text: string | null }) =>
  text === null ? (
    <Text size="sm" c="dimmed">
      –
    </Text>
  ) : (
    <Spoiler maxHeight={64} showLabel="More" hideLabel="Less">
      <div className={classes.text}>{text}</div>
    </Spoiler>
  );

const Tags = ({ tags }: { tags: Record<string, string[]> }) => (
  <Group gap={4}>
    {Object.entries(tags).map(([name, values]) => (
      <Badge key={name} variant="default" tt="none" fw={500}>
        {name}: {values.join(', ')}
      </Badge>
    ))}
  </Group>
);
