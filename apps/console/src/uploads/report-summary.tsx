import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { List, Stack, Text, Title } from '@mantine/core';
import type { Api } from '../api/client.ts';
import { number } from '../language/format.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { findings } from '../parts/finding-count.ts';
import { sentence } from './words.ts';

type Report = Omit<Api['ReportPreviewDto'], keyof Api['ZipPreviewDto']>;
type Row = Api['ListedFindingDto'] & { key: number };

const columnsOf = (): Column<Row>[] => [
  { id: 'place', header: t`Place in the report`, cell: ({ place }) => place },
  { id: 'name', header: t`Finding`, cell: ({ name }) => name || '–' },
  { id: 'reason', header: t`Reason`, cell: ({ reason }) => sentence(reason) },
];

/** What was recognized in a report, and what of it becomes no signal. */
export function ReportSummary({ report }: { report: Report }) {
  const { format, read, mapped, listedFindings } = report;
  const listed = read - mapped;
  const found = findings(read);
  const becoming = plural(mapped, { one: '# becomes a signal', other: '# become signals' });
  const others = plural(listed, { one: '# does not', other: '# do not' });
  const notes = Object.entries(report.notes);
  const rows = listedFindings.map((finding, key) => ({ ...finding, key }));
  return (
    <Stack gap="sm" component="section" aria-label={t`Report`}>
      <Text>
        <Trans>
          Recognized as <b>{format}</b>: {found}, of which {becoming} and {others}.
        </Trans>
      </Text>
      {rows.length > 0 && (
        <Stack gap={4}>
          <Title order={3} size="h5">
            <Trans>Not mapped</Trans>
          </Title>
          <DataTable
            label={t`Not mapped`}
            columns={columnsOf()}
            rows={rows}
            idOf={({ key }) => String(key)}
          />
          {listed > rows.length && (
            <Text size="sm">
              <Plural
                value={rows.length}
                one="Only the first is listed."
                other="Only the first # are listed."
              />
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
                {number(count)} × {sentence(text)}
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Stack>
  );
}
