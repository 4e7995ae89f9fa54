import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { changeSchemas } from '#libs/contracts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { ChangeCodecs } from './change-codecs.ts';
import { RegisteredSchemas } from './registered-schemas.repository.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

it('stores the schemas of a topic before its first record, for gateways of an earlier version', async () => {
  for (let start = 1; start <= 2; start++) {
    await new ChangeCodecs(null, new RegisteredSchemas(database.db, null)).of('posture.findings');
  }
  const { rows } = await database.pool.query(
    'select registry, subject, schema_id, registry_id, schema from registered_schemas order by schema_id',
  );
  const released = changeSchemas().filter(({ subject }) => subject === 'posture.findings-value');
  expect(rows).toEqual(
    released.map(({ id, subject, schema }) => ({
      registry: '',
      subject,
      schema_id: id,
      registry_id: id,
      schema: JSON.stringify(schema),
    })),
  );
});
