import type { CheckpointTable } from '#libs/log-archive';
import { type CopyRow, copyRow, readCopyRows } from './copy-lines.ts';
import type { ReplaceIds } from './new-ids.ts';
import { withoutNames } from './old-subjects.ts';

/** Replaces what is personal in a row. */
export interface RowSealer {
  /** Seals a user name, or a text of that user. */
  personal: (user: string, text?: string) => string;
  /** Seals the name of a machine that is a subject. */
  machine: (name: string) => string;
  /** Replaces the ids of findings and assets in a text. */
  ids: ReplaceIds;
}

type Fields = Readonly<Record<string, string | null | undefined>>;

/** What is personal in tables that are not folded, as programs with sealing write it. */
export const CHANGES: Readonly<Record<string, (row: Fields, sealer: RowSealer) => Fields>> = {
  act_origins: ({ by_user: user, address }, { personal }) => ({
    by_user: user && personal(user),
    address: user && address && personal(user, address),
  }),
  upload_receipts: ({ by_user: user, warnings }, { personal }) => ({
    by_user: user && personal(user),
    warnings: warnings && JSON.stringify(withoutNames({ warnings: JSON.parse(warnings) }).warnings),
  }),
  saved_views: ({ owner: user, name, query }, { personal, ids }) => ({
    owner: user && personal(user),
    name: user && name && personal(user, name),
    query: user && query && personal(user, ids(query)),
  }),
  syncs: ({ requested_by: user, cancel_requested_by: canceller, errors }, { personal }) => ({
    requested_by: user && personal(user),
    cancel_requested_by: canceller && personal(canceller),
    errors: errors && JSON.stringify(JSON.parse(errors).map(() => REMOVED)),
  }),
  import_contexts: ({ kind, name }, { machine }) => ({
    name: name && (kind === 'product' ? machine(name) : name),
  }),
  webhooks: ({ paused }) => ({ paused: paused && JSON.stringify(withoutUser(JSON.parse(paused))) }),
  webhook_tickets: ({ finding_id: id }, { ids }) => ({ finding_id: id && ids(id) }),
  clock_confirmations: ({ confirmed_by: user, reason }, { personal }) => ({
    confirmed_by: user && personal(user),
    reason: user && reason && personal(user, reason),
  }),
};

/** The message of a pause by a user contains the name. */
const withoutUser = (pause: { reason: string }): object =>
  pause.reason === 'user' ? { ...pause, message: 'paused by a user' } : pause;

/** Errors of old syncs do not say whom they name. */
const REMOVED = { what: 'erased', message: 'erased' };

/** Answers to repeated uploads contain names, and are kept for a day: a repeated upload is folded once without them. */
export const OMITTED = new Set(['idempotency_keys']);

/** Tables that stay as they are: sign-in needs the names in the first ones, and the others contain none. */
export const UNCHANGED = new Set([
  'credentials',
  'users',
  'security_events',
  'second_factors',
  'user_groups',
  'identity_providers',
  'api_tokens',
  'roles',
  'refused_uploads',
  'catalogue_imports',
  'catalogue_staged',
  'catalogue_rows',
  'integration_secrets',
  'report_schedules',
  'default_views',
  'notification_people',
  'notification_settings',
  'registered_schemas',
]);

/** Tables that the new backup has rows of its own for. */
export const REPLACED = new Set(['subject_keys']);

/** A table of a backup with its personal texts sealed. */
export function sealedTable(table: CheckpointTable, sealer: RowSealer): CheckpointTable {
  const { name, columns, rows } = table;
  const change = CHANGES[name];
  if (OMITTED.has(name)) return { name, columns, rows: omitted(rows) };
  if (!change) return table;
  const changed = (row: CopyRow): CopyRow => {
    const fields = Object.fromEntries(columns.map((column, i) => [column, row[i]!]));
    const replaced = change(fields, sealer);
    return columns.map((column, i) => (column in replaced ? (replaced[column] ?? null) : row[i]!));
  };
  return { name, columns, rows: changedRows(rows, changed) };
}

async function* changedRows(
  rows: AsyncIterable<Buffer>,
  change: (row: CopyRow) => CopyRow,
): AsyncGenerator<Buffer> {
  for await (const row of readCopyRows(rows)) yield copyRow(change(row));
}

/** Rows must be read before the next table is. */
async function* omitted(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const _ of rows);
  yield* [];
}
