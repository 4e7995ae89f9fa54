import { afterAll, beforeAll, expect, it } from '@jest/globals';
import avro from 'avsc';
import { changeSchemas, SCORES_TOPIC, subjectOf } from '#libs/contracts';
import { PostgresEventLog, type StoredRecord } from '#libs/event-log';
import { ChangeCodecs, RegisteredSchemas, RegistryClient } from '#libs/schema-registry';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { T0 } from '../../../../test/support/scenario.ts';
import { describeSchemaRegistry, queryRegistry } from '../../../../test/support/schema-registry.ts';
import { ScoreRows } from '../../../../test/support/score-rows.ts';
import { until } from '../../../../test/support/until.ts';
import { ScorePublishers } from './score-publishers.ts';

describeSchemaRegistry('publishing scores under the ids of a schema registry', (registryUrl) => {
  let database: TestDatabase;
  let log: PostgresEventLog;
  beforeAll(async () => {
    database = await testDatabase();
    log = new PostgresEventLog({ url: database.url, partitions: 1 });
  });
  afterAll(async () => {
    await log.close();
    await database.drop();
  });

  it('registers the schema, writes the id that it was given, and the record decodes as that', async () => {
    const scores = new ScoreRows(database.db, 0);
    await scores.assets(1);
    await scores.change([{ asset: 0, score: 821, at: T0 }]);
    const client = new RegistryClient(registryUrl());
    const registered = new RegisteredSchemas(database.db, client);
    const publishers = new ScorePublishers(log, database.db, new ChangeCodecs(client, registered));
    publishers.hold(0);
    const records: StoredRecord[] = [];
    await until('a record', async () => {
      for await (const batch of log.read(SCORES_TOPIC, 0, 0, 1)) records.push(...batch);
      return records.length > 0;
    });
    await publishers.release(0);
    const { id, schema } = await queryRegistry(
      registryUrl(),
      `/subjects/${subjectOf(SCORES_TOPIC)}/versions/latest`,
    );
    expect(records[0]!.value.readInt32BE(1)).toBe(id);
    expect(JSON.parse(schema)).toEqual(
      changeSchemas().find(({ subject }) => subject === subjectOf(SCORES_TOPIC))!.schema,
    );
    const { value } = avro.Type.forSchema(JSON.parse(schema)).decode(records[0]!.value, 5);
    expect(value).toMatchObject({ score: 8.21 });
  });
});
