import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  ASSETS_TOPIC,
  type AssetChanged,
  type ChangeEvent,
  encodeChange,
  FINDINGS_TOPIC,
} from '#libs/contracts';
import { PostgresEventLog, type StoredRecord } from '#libs/event-log';
import { ChangeDecoder, RegisteredSchemas } from '#libs/schema-registry';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { ScorerService } from './scorer.service.ts';
import { ScorerPositions } from './scorer-positions.repository.ts';
import { touchedAssets } from './touched-assets.ts';

const cause = {
  kind: 'zip' as const,
  eventId: '5f0c1a52-0d0b-4a5c-9a3e-6f3a4b1f0a05',
  uploadId: null,
  entry: null,
  syncId: null,
  user: 'ana',
  requestId: null,
};
const position = { topic: 'posture.intake', partition: 0, offset: 1 };

const asset: AssetChanged = {
  id: 'a',
  entityType: 'machine',
  name: 'web01',
  aliases: [],
  hostname: null,
  fqdn: null,
  ipAddresses: [],
  macAddresses: [],
  os: null,
  type: 'Server',
  attackSurface: 'Infrastructure',
  department: 'Unassigned',
  location: 'Unassigned',
  criticality: null,
  confidentialityRequirement: null,
  integrityRequirement: null,
  availabilityRequirement: null,
  tags: {},
  customFields: {},
  sources: [],
  firstSeen: 0,
  lastSeen: 0,
  deletedAt: null,
  version: 1,
  updatedAt: 0,
  change: { name: 'created', at: 0, sequence: 1, cause, position },
};

let database: TestDatabase;
let log: PostgresEventLog;
beforeAll(async () => {
  database = await testDatabase();
  log = new PostgresEventLog({ url: database.url, partitions: 2 });
});
afterAll(async () => {
  await log.close();
  await database.drop();
});

function scorer(): ScorerService {
  const decoder = new ChangeDecoder(new RegisteredSchemas(database.db, null));
  return new ScorerService(log, new ScorerPositions(database.db), decoder);
}

async function recordsOf(topic: string, partition: number): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const batch of log.read(topic, partition, 0, 100)) records.push(...batch);
  return records;
}

it('knows the assets that changes touch, each once', () => {
  const of = (id: string): ChangeEvent => ({ kind: 'asset', changed: { ...asset, id } });
  expect(touchedAssets([of('a'), of('b'), of('a')])).toEqual(new Set(['a', 'b']));
});

it('goes on after a restart where it was, topic by topic', async () => {
  const change = { key: 'a', value: encodeChange({ kind: 'asset', changed: asset }), partition: 1 };
  const tombstone = { key: 'a', value: Buffer.alloc(0), partition: 1 };
  await log.append(ASSETS_TOPIC, [change, change, tombstone]);
  const records = await recordsOf(ASSETS_TOPIC, 1);
  const first = scorer();
  expect(await first.open(ASSETS_TOPIC, 1)).toBe(0);
  expect(await first.follow(ASSETS_TOPIC, records)).toBe(3);
  expect(await scorer().open(ASSETS_TOPIC, 1)).toBe(3);
  expect(await scorer().open(FINDINGS_TOPIC, 1)).toBe(0);
});

it('follows a topic anew that was made anew since', async () => {
  await new ScorerPositions(database.db).move(ASSETS_TOPIC, 1, 1_000);
  expect(await scorer().open(ASSETS_TOPIC, 1)).toBe(0);
});
