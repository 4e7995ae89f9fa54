import { t } from '@lingui/core/macro';
import { Code } from '@mantine/core';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/data-table-props.ts';
import { sentence } from './words.ts';

export interface EntryMessage {
  entry?: string | null;
  field: string;
  message: string;
}

type Row = EntryMessage & { key: number };

const columnsOf = (): Column<Row>[] => [
  { id: 'entry', header: t`Entry`, cell: ({ entry }) => entry ?? '–' },
  { id: 'field', header: t`Location`, cell: ({ field, message }) => whereOf(field, message) },
  { id: 'message', header: t`Problem`, cell: ({ field, message }) => problemOf(field, message) },
];

/** Errors or warnings for the entries of a ZIP, or for a signal. */
export function EntryMessages({ label, messages }: { label: string; messages: readonly EntryMessage[] }) {
  const rows = messages.map((message, key) => ({ ...message, key }));
  const hasEntries = rows.some(({ entry }) => entry);
  const columns = hasEntries ? columnsOf() : columnsOf().slice(1);
  return <DataTable label={label} columns={columns} rows={rows} idOf={({ key }) => String(key)} />;
}

/** Position of a syntax error in the messages of the service. */
const PLACE = /^(line [\d,]+, column [\d,]+): (.*)$/s;

function whereOf(field: string, message: string) {
  if (field !== '') return <Code>{field}</Code>;
  return PLACE.exec(message)?.[1] ?? t`Entire entry`;
}

function problemOf(field: string, message: string): string {
  const [, , inPlace] = (field === '' && PLACE.exec(message)) || [];
  return inPlace === undefined ? sentence(message) : t`Invalid JSON: ${inPlace}.`;
}
