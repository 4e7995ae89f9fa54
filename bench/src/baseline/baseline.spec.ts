import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { partitionOf } from '#libs/contracts';
import { DEFAULT_SETTINGS, readingAt } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { Projection } from '#libs/projection';
import { planZip } from '../../../apps/gateway/src/signals/zip/plan-zip.ts';
import { recordChunks, recordsOf } from '../../../apps/gateway/src/signals/zip/record-chunks.ts';
import { zipEvents } from '../../../apps/gateway/src/signals/zip/zip-worker.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { scannedMachines } from '../data/scans/machines.ts';
import { writeZipFiles } from '../data/zip-files.ts';
import { CopyWriter } from './copy-writer.ts';
import { readEvent } from './read-event.ts';
import { readSignal, wrapSignal } from './read-signal.ts';
import { unpackedEntries } from './read-zip.ts';
import { type PlacedFinding, RowWriter } from './row-writer.ts';

const PARTITIONS = 2;
const FINDINGS = 500;
const UPLOAD = '00000000-0000-5000-8000-000000000001';
const RECEIVED_AT = Date.parse('2026-01-02T00:00:00Z');
/** Relative to the length of the bodies: ids and times have slightly different lengths. */
const LENGTH_TOLERANCE = 0.05;

let folder: string;
let zip: Buffer;
let projected: TestDatabase;
let fromEvents: TestDatabase;
let fromSignals: TestDatabase;
let copied: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posture-bench-spec-'));
  const [file] = await writeZipFiles(scannedMachines(FINDINGS, RECEIVED_AT), folder);
  zip = await readFile(file!.path);
  [projected, fromEvents, fromSignals, copied] = await Promise.all([
    testDatabase(),
    testDatabase(),
    testDatabase(),
    testDatabase(),
  ]);
  const partitions = await intakeRecords();
  const projector = new Projection(projected.db);
  const eventWriter = new RowWriter(fromEvents.pool);
  const copyWriter = new CopyWriter(copied.pool);
  for (const records of partitions) {
    const { partition } = records[0]!;
    await projector.open(partition);
    await projector.project(records);
    const placed = records.map(({ value, offset }) => ({ finding: readEvent(value)!, offset }));
    await eventWriter.write(partition, placed, records.length);
    await copyWriter.write(partition, placed, records.length);
  }
  const signalWriter = new RowWriter(fromSignals.pool);
  for (const [partition, placed] of (await bareRecords()).entries()) {
    await signalWriter.write(partition, placed, placed.length);
  }
});
afterAll(async () => {
  await Promise.all([projected, fromEvents, fromSignals, copied].map((database) => database?.drop()));
  await rm(folder, { recursive: true, force: true });
});

/** The records that the gateway appends, by partition. */
async function intakeRecords(): Promise<StoredRecord[][]> {
  const upload = {
    context: {
      uploadId: UPLOAD,
      kind: 'zip' as const,
      ...readingAt(RECEIVED_AT),
      user: 'admin',
      requestId: 'req-1',
      settingsVersion: DEFAULT_SETTINGS.version,
      partitions: PARTITIONS,
    },
    settings: DEFAULT_SETTINGS,
    skipsInvalid: false,
  };
  const partitions: StoredRecord[][] = Array.from({ length: PARTITIONS }, () => []);
  for (const chunk of recordChunks(zipEvents(zip, await planZip(zip, upload), upload.context))) {
    for (const { key, value } of recordsOf(chunk)) {
      const partition = partitionOf(key, PARTITIONS);
      const offset = partitions[partition]!.length;
      partitions[partition]!.push({ key, value, partition, offset, headers: {}, storedAt: RECEIVED_AT });
    }
  }
  return partitions;
}

/** The records that the bare producer sends, read back, by partition. */
async function bareRecords(): Promise<PlacedFinding[][]> {
  const partitions: PlacedFinding[][] = Array.from({ length: PARTITIONS }, () => []);
  for await (const { name, content } of unpackedEntries(zip)) {
    const { entity } = JSON.parse(content.toString());
    const key = `machine:${entity.name.split('.')[0]}`;
    const placed = partitions[partitionOf(key, PARTITIONS)]!;
    const finding = readSignal(wrapSignal(content, key, name, { id: UPLOAD, receivedAt: RECEIVED_AT }));
    placed.push({ finding, offset: placed.length });
  }
  return partitions;
}

const TABLES = ['assets', 'asset_seen', 'asset_history', 'findings', 'finding_seen', 'finding_history'];

async function counts({ pool }: TestDatabase): Promise<Record<string, number>> {
  const entries = TABLES.map(async (table) => {
    const { rows } = await pool.query(`select count(*)::int as rows from ${table}`);
    return [table, rows[0].rows] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** All columns except ids and times, which the baseline does not compute. */
async function findings({ pool }: TestDatabase) {
  const { rows } = await pool.query(
    `select a.name as asset, f.name, f.type, f.state, f.severity_value, f.cves, f.techniques, f.source, f.version,
            f.asset_no, f.finding_no, h.sequence, h.change, h.log_offset, s.signal_id, s.last_seen
       from findings f
       join assets a using (asset_no)
       join finding_seen s using (asset_no, finding_no)
       join finding_history h using (asset_no, finding_no)
      order by f.asset_no, f.finding_no`,
  );
  return rows;
}

async function lengths({ pool }: TestDatabase): Promise<number[]> {
  const { rows } = await pool.query(
    `select (select avg(length(body::text)) from findings)::float8 as finding,
            (select avg(length(state::text)) from assets)::float8 as asset,
            (select avg(length(cause::text)) from finding_history)::float8 as cause`,
  );
  return [rows[0].finding, rows[0].asset, rows[0].cause];
}

describe.each([
  ['events', () => fromEvents],
  ['signals', () => fromSignals],
  ['events by COPY', () => copied],
])('the baseline, from %s', (_, written) => {
  it('writes as many rows as the projector', async () => {
    const expected = await counts(projected);
    expect(expected.findings).toBeGreaterThanOrEqual(FINDINGS);
    expect(await counts(written())).toEqual(expected);
  });

  it('writes the same findings', async () => {
    expect(await findings(written())).toEqual(await findings(projected));
  });

  it('writes bodies of the same size', async () => {
    const actual = await lengths(written());
    for (const [i, length] of (await lengths(projected)).entries()) {
      expect(Math.abs(actual[i]! / length - 1)).toBeLessThan(LENGTH_TOLERANCE);
    }
  });
});
