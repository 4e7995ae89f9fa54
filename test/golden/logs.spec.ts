import { beforeAll, describe, expect, it } from '@jest/globals';
import { CorruptRecordError, decodeIntake, intakeSchemas } from '#libs/contracts';
import type { IntakeEvent, IntakePayload } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { type FoldedRow, foldedRows } from '../support/folded-rows.ts';
import { waysOf, waysTaken } from './field-coverage.ts';
import { withFolded } from './fold-file.ts';
import { BUILDERS, GoldenLog } from './golden-logs.ts';
import { asRecorded, canonical } from './recorded-rows.ts';

/**
 * Golden logs (R-LOG-6): every version of the service folds what earlier ones have written
 * to exactly the rows that were recorded with it.
 */

/** What the schemas leave open and no version writes: a payload that is encrypted, an observation of nothing. */
const NEVER_WRITTEN = [
  'posture.intake.Envelope.encryptionKeyId: set',
  'posture.intake.Observation.instances: empty',
];

/** Every event type, as the compiler knows them. */
const EVENT_TYPES = Object.keys({
  LogOpened: true,
  ClockCorrected: true,
  HistoryTrimmed: true,
  EntityMended: true,
  SignalReceived: true,
  AssetDescribed: true,
  AssessmentClosed: true,
  FindingAccepted: true,
  FindingReverted: true,
  FindingAssigned: true,
  FindingTagged: true,
  FindingDueSet: true,
  FindingTicketsChanged: true,
  FindingCommented: true,
  EntitySwept: true,
  AssetRetyped: true,
  EdrManagementEnded: true,
  StatementEnded: true,
  AssetDeleted: true,
  SubjectErased: true,
  SettingsChanged: true,
  OptionSaved: true,
  OptionRemoved: true,
  CustomFieldSaved: true,
  CustomFieldRemoved: true,
  OsMappingReplaced: true,
  OwnerRulesReplaced: true,
  CredentialChanged: true,
  WebhookChanged: true,
  CatalogueImported: true,
  IntegrationSaved: true,
  IntegrationRemoved: true,
  PlanSaved: true,
  PlanRemoved: true,
  SyncRequested: true,
} satisfies Record<IntakePayload['type'], true>);

const logs = await GoldenLog.all();

async function recordsOf(log: GoldenLog): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const batch of (await log.open()).batches()) records.push(...batch);
  return records;
}

/** Table → columns that were recorded of it. */
function columnsOf(rows: FoldedRow[]): Map<string, Set<string>> {
  const columns = new Map<string, Set<string>>();
  for (const { table, row } of rows) {
    columns.set(table, new Set([...(columns.get(table) ?? []), ...Object.keys(row)]));
  }
  return columns;
}

describe.each(logs)('golden log $name', (log) => {
  it('folds to the rows that were recorded, exactly', async () => {
    const recorded = await log.rows();
    const columns = columnsOf(recorded.map((line) => JSON.parse(line)));
    const folded = await withFolded(await log.open(), foldedRows);
    const lines = folded.flatMap((row) => asRecorded(row, columns) ?? []).map(canonical);
    // Line by line, so that a failure shows the row and not two files.
    expect(lines.filter((line) => !recorded.includes(line))).toEqual([]);
    expect(recorded.filter((line) => !lines.includes(line))).toEqual([]);
    expect(lines.toSorted()).toEqual(recorded.toSorted());
  }, 60_000);
});

describe('the golden logs together', () => {
  const events: { schemaId: number; event: IntakeEvent }[] = [];
  let corrupt = 0;
  let rows: FoldedRow[];

  beforeAll(async () => {
    for (const record of (await Promise.all(logs.map(recordsOf))).flat()) {
      try {
        events.push({ schemaId: record.value.readInt32BE(1), event: decodeIntake(record.value) });
      } catch (error) {
        if (!(error instanceof CorruptRecordError)) throw error;
        corrupt += 1;
      }
    }
    rows = (await Promise.all(logs.map((log) => log.rows()))).flat().map((line) => JSON.parse(line));
  });

  it('are recorded for every builder (npm run golden)', () => {
    const missing = Object.keys(BUILDERS).filter((name) => !new GoldenLog(name).isRecorded);
    expect(missing).toEqual([]);
  });

  it.each(intakeSchemas())('hold schema $id, version $version of $type', ({ id, type }) => {
    expect(events.some(({ schemaId, event }) => schemaId === id && event.payload.type === type)).toBe(true);
  });

  it('hold every event type', () => {
    expect(new Set(events.map(({ event }) => event.payload.type))).toEqual(new Set(EVENT_TYPES));
  });

  it('set and leave out every optional field, fill and empty every list', () => {
    const schemas = new Map(intakeSchemas().map(({ id, schema }) => [id, schema]));
    const open = new Set([...schemas.values()].flatMap((schema) => [...waysOf(schema)]));
    for (const { schemaId, event } of events) {
      const record = { envelope: event.envelope, ...event.payload };
      for (const way of waysTaken(schemas.get(schemaId)!, record)) open.delete(way);
    }
    expect([...open]).toEqual(NEVER_WRITTEN);
  });

  const valuesOf = (table: string, column: string) =>
    new Set(rows.filter((row) => row.table === table).map(({ row }) => row[column]));

  it('cause every change and reason of a history', () => {
    expect(valuesOf('finding_history', 'change')).toEqual(
      new Set([
        'created',
        'updated',
        'stateChanged',
        'retired',
        'returned',
        'accepted',
        'reverted',
        'assigned',
        'tagged',
        'dueSet',
        'ticketsChanged',
        'commented',
        'erased',
      ]),
    );
    expect(valuesOf('finding_history', 'reason')).toEqual(
      new Set([
        null,
        'expired',
        'replaced',
        'retention',
        'revoked',
        'assetDeleted',
        'acceptanceEnded',
        'acceptanceOverridden',
        'user',
        'clockCorrected',
      ]),
    );
    expect(valuesOf('asset_history', 'change')).toEqual(
      new Set(['created', 'updated', 'returned', 'deleted', 'erased']),
    );
    expect(valuesOf('acts', 'refused')).toEqual(
      new Set([
        null,
        'unknown',
        'stale',
        'notFailed',
        'notAccepted',
        'tooMany',
        'nameTaken',
        'isDefault',
        'clockAhead',
        'notAhead',
      ]),
    );
    const ignored = rows
      .filter(({ table }) => table === 'upload_progress')
      .flatMap(({ row }) => Object.keys((row.counts as { ignored: object }).ignored));
    expect(new Set(ignored)).toEqual(
      new Set(['expired', 'unknownAsset', 'revoked', 'accepted', 'heldFailed', 'metadataKept', 'clockAhead']),
    );
  });

  it('contain corrupt records, repeats, and uploads that were received before folded ones', () => {
    expect(corrupt).toBe(2);
    expect(rows.filter(({ table }) => table === 'quarantine')).toHaveLength(corrupt);
    const places = events.map(({ event: { envelope } }) => `${envelope.entityKey} ${envelope.id}`);
    expect(new Set(places).size).toBeLessThan(places.length);
    const received = events
      .filter(({ event }) => event.payload.type === 'AssessmentClosed')
      .map(({ event }) => event.envelope.cause.receivedAt);
    expect(received).not.toEqual(received.toSorted((a, b) => a - b));
  });
});
