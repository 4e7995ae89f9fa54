import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { List, Stack, Text, Title } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { counted, sentence } from './words.ts';

type Report = Omit<Api['ReportPreviewDto'], keyof Api['ZipPreviewDto']>;
type Row = Api['ListedFindingDto'] & { key: number };

const COLUMNS: Column<Row>[] = [
  { id: 'place', header: 'Place in the report', cell: ({ place }) => place },
  { id: 'name', header: 'Finding', cell: ({ name }) => name || '–' },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => sentence(reason) },
];

/** What was recognized in a report, and what of it becomes no signal. */
export function ReportSummary({ report }: { report: Report }) {
  const { format, read, mapped, listedFindings } = report;
  const listed = read - mapped;
  const notes = Object.entries(report.notes);
  const rows = listedFindings.map((finding, key) => ({ ...finding, key }));
  return (
    <Stack gap="sm" component="section" aria-label={t`Report`}>
      <Text>
        <Trans>
          Recognized as <b>{format}</b>: {counted(read, 'finding')}, of which {mapped.toLocaleString()}{' '}
          {mapped === 1 ? 'becomes a signal' : 'become signals'} and {listed.toLocaleString()}{' '}
          {listed === 1 ? 'does' : 'do'} not.
        </Trans>
      </Text>
      {rows.length > 0 && (
        <Stack gap={4}>
          <Title order={3} size="h5">
            <Trans>Not mapped</Trans>
          </Title>
          <DataTable label={t`Not mapped`} columns={COLUMNS} rows={rows} idOf={({ key }) => String(key)} />
          {listed > rows.length && (
            <Text size="sm">
              <Trans>Only the first {rows.length} are listed.</Trans>
            </Text>
          )}
        </Stack>
      )}
      {notes.length > 0 && (
        <Stack gap={4}>
          <Title order={3} size="h5">
            <Trans>Notes</Trans>
          </Title>
          <List size="sm" spacing={4}>
            {notes.map(([text, count]) => (
              <List.Item key={text}>
                {count.toLocaleString()} × {sentence(text)}
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Stack>
  );
}
