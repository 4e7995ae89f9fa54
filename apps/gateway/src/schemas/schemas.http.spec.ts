import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { changeSchemas, intakeSchemas } from '#libs/contracts';
import { queryRegistry } from '../../../../test/support/schema-registry.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const REGISTRY = 'http://registry:8081';
const FINDINGS = 1010;
const ASSETS = 1008;
const SCORES = 1003;
/** Not in schemas/ids.json. */
const LATER = 1_999;

let gateway: StartedGateway;
let withRegistry: StartedGateway;
beforeAll(async () => {
  gateway = await StartedGateway.start();
  withRegistry = await StartedGateway.start({
    env: { SCHEMA_REGISTRY_URL: 'http://ana:hunter2@registry:8081' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await withRegistry.stop();
});
beforeEach(async () => {
  for (const { database } of [gateway, withRegistry]) {
    await database.db.deleteFrom('registered_schemas').execute();
  }
});

const changeSchema = (schemaId: number) => changeSchemas().find(({ id }) => id === schemaId)!.schema;
const intakeSchema = (schemaId: number) => intakeSchemas().find(({ id }) => id === schemaId)!.schema;

const subjects: Record<number, string> = {
  [FINDINGS]: 'posture.findings-value',
  [ASSETS]: 'posture.assets-value',
  [SCORES]: 'posture.scores-value',
};

const remember = (
  { database }: StartedGateway,
  registryId: number,
  schemaId: number,
  registry = REGISTRY,
  schema?: object,
) =>
  database.db
    .insertInto('registered_schemas')
    .values({
      registry,
      subject: subjects[schemaId] ?? 'posture.scores-value',
      schema_id: schemaId,
      registry_id: registryId,
      schema: schema ? JSON.stringify(schema) : null,
    })
    .execute();

const schemaOf = async ({ url }: StartedGateway, id: number, query = ''): Promise<unknown> =>
  JSON.parse((await queryRegistry(url, `/schemas/ids/${id}${query}`)).schema);

describe('GET /schemas/ids/:id', () => {
  it('returns the schemas of the fixed ids and of the ids that a registry has assigned', async () => {
    await remember(withRegistry, 77, FINDINGS);
    expect(await schemaOf(withRegistry, 77)).toEqual(changeSchema(FINDINGS));
    expect(await schemaOf(withRegistry, FINDINGS)).toEqual(changeSchema(FINDINGS));
    expect(await schemaOf(withRegistry, SCORES)).toEqual(changeSchema(SCORES));
    expect(await schemaOf(withRegistry, 1)).toEqual(intakeSchema(1));
  });

  it('takes an id that means two schemas for that of the topics that are subscribed to', async () => {
    await remember(withRegistry, 1, FINDINGS);
    await remember(withRegistry, FINDINGS, ASSETS);
    expect(await schemaOf(withRegistry, 1)).toEqual(changeSchema(FINDINGS));
    expect(await schemaOf(withRegistry, FINDINGS)).toEqual(changeSchema(ASSETS));
  });

  it('takes it for that of the subject’s topic if a subject is named', async () => {
    await remember(withRegistry, 1, FINDINGS);
    await remember(withRegistry, FINDINGS, ASSETS);
    const ask = (id: number, subject: string) => schemaOf(withRegistry, id, `?subject=${subject}`);
    expect(await ask(1, 'posture.intake-value')).toEqual(intakeSchema(1));
    expect(await ask(1, 'posture.findings-value')).toEqual(changeSchema(FINDINGS));
    expect(await ask(FINDINGS, 'posture.findings-value')).toEqual(changeSchema(FINDINGS));
    expect(await ask(FINDINGS, 'posture.assets-value')).toEqual(changeSchema(ASSETS));
    expect(await ask(1, 'somebody.elses-value')).toEqual(changeSchema(FINDINGS));
  });

  it('keeps the ids if another registry is used, or none', async () => {
    for (const one of [gateway, withRegistry]) {
      await remember(one, 1, ASSETS, 'http://before');
      expect(await schemaOf(one, 1)).toEqual(changeSchema(ASSETS));
    }
    await remember(withRegistry, 1, FINDINGS);
    await remember(withRegistry, 1, ASSETS, 'http://before-that');
    expect(await schemaOf(withRegistry, 1)).toEqual(changeSchema(FINDINGS));
  });

  it('returns the schemas with which a later version of the service writes', async () => {
    const later = { type: 'record', name: 'Later', fields: [] };
    await remember(gateway, LATER, LATER, '', later);
    await remember(withRegistry, 78, LATER, REGISTRY, later);
    expect(await schemaOf(gateway, LATER)).toEqual(later);
    expect(await schemaOf(withRegistry, 78)).toEqual(later);
  });

  it('does not know a schema of which a later version has stored only the id', async () => {
    await remember(withRegistry, 78, LATER);
    await expect(schemaOf(withRegistry, 78)).rejects.toThrow(/404.*40403/);
  });
});

describe('GET /subjects/:subject/versions/:version', () => {
  const latest = (one: StartedGateway) =>
    queryRegistry(one.url, '/subjects/posture.findings-value/versions/latest');

  it('answers the id that records are written under now', async () => {
    expect(await latest(withRegistry)).toMatchObject({ id: FINDINGS, version: 5 });
    await remember(withRegistry, 5, FINDINGS);
    await remember(withRegistry, 6, FINDINGS, 'http://before');
    await remember(withRegistry, 7, ASSETS);
    const answer = await latest(withRegistry);
    expect(answer).toMatchObject({ subject: 'posture.findings-value', id: 5, version: 5 });
    expect(JSON.parse(answer.schema)).toEqual(changeSchema(FINDINGS));
    expect(await queryRegistry(withRegistry.url, '/subjects/posture.findings-value/versions')).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  it('answers the fixed id if no registry is used', async () => {
    await remember(gateway, 5, FINDINGS);
    expect(await latest(gateway)).toMatchObject({ id: FINDINGS });
  });
});

describe('GET /schemas/signal.schema.json', () => {
  it('returns the published schema of signals, without a token', async () => {
    const response = await fetch(`${gateway.url}/schemas/signal.schema.json`);
    expect(response.headers.get('content-type')).toMatch(/^application\/schema\+json/);
    expect(await response.json()).toEqual(JSON.parse(await readFile('schemas/signal.schema.json', 'utf8')));
  });
});
