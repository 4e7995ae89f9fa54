import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { operationsOf } from './describe-operations.ts';
import { previewDocument, previewGateway } from './preview-document.ts';

let document: OpenAPIObject;
beforeAll(async () => {
  document = await previewDocument();
});

const SOURCES = join(import.meta.dirname, '..');
const CLASS = /^(?:export )?(?:abstract )?class (\w+)/gm;
const sourceTexts = (): string[] =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'));

interface Parameter {
  name: string;
  in: string;
  schema: Record<string, unknown>;
}

const parametersOf = (path: string) =>
  (document.paths[path]!.get!.parameters ?? []) as unknown as Parameter[];
const schemaOf = (path: string, name: string) => parametersOf(path).find((one) => one.name === name)!.schema;
const schema = (name: string) => document.components!.schemas![name] as Record<string, unknown>;

describe('the OpenAPI document', () => {
  it('contains the routes of every module', async () => {
    const routes = SwaggerModule.createDocument(await previewGateway(), new DocumentBuilder().build());
    const idsOf = (one: OpenAPIObject) => operationsOf(one).map(([, { operationId }]) => operationId);
    expect(idsOf(routes).length).toBeGreaterThan(80);
    expect(idsOf(document).toSorted()).toEqual(idsOf(routes).toSorted());
  });

  it('has one class for each schema', () => {
    const declared = sourceTexts().flatMap((text) => [...text.matchAll(CLASS)].map(([, name]) => name!));
    const twice = declared.filter((name, i) => declared.indexOf(name) !== i);
    expect(twice.filter((name) => name in document.components!.schemas!)).toEqual([]);
  });

  it('has no problem for the strictest rules of a linter', async () => {
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: '/openapi.json',
      config: await createConfig({ extends: ['recommended-strict'] }),
    });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  });

  it.each(['/api/v3/assets', '/api/v3/assets/export'])('lists the values of each filter of %s', (path) => {
    expect(schemaOf(path, 'criticality').enum).toEqual(['critical', 'high', 'medium', 'low', 'info']);
    expect(schemaOf(path, 'scored').enum).toEqual(['true', 'false']);
    expect(schemaOf(path, 'sort').enum).toContain('-name');
  });

  it('has the bounds of texts, numbers and lists that the checks of a DTO enforce', () => {
    expect(schemaOf('/api/v3/findings', 'cursor').maxLength).toBe(6000);
    expect(schemaOf('/api/v3/findings', 'cve').pattern).toBe('^CVE-\\d{4}-\\d{4,}$');
    expect(schemaOf('/api/v3/findings', 'severityMin')).toMatchObject({ type: 'number', maximum: 10 });
    const { version, egressAllow } = schema('ChangeSettingsDto').properties as Record<string, object>;
    expect(version).toMatchObject({ type: 'integer', minimum: 0, maximum: 2_147_483_647 });
    expect(egressAllow).toMatchObject({
      type: 'array',
      maxItems: 100,
      items: { type: 'string', maxLength: 253 },
    });
  });

  it('counts pages in whole numbers', () => {
    const limits = operationsOf(document).flatMap(([path, { parameters = [] }]) =>
      (parameters as unknown as Parameter[])
        .filter(({ name }) => name === 'limit')
        .map((limit) => [path, limit.schema.type]),
    );
    expect(limits.length).toBeGreaterThan(20);
    expect(limits.filter(([, type]) => type !== 'integer')).toEqual([]);
  });

  it('has a format for every id in a path', () => {
    const ids = operationsOf(document).flatMap(([path, { parameters = [] }]) =>
      (parameters as unknown as Parameter[])
        .filter((one) => one.in === 'path' && one.name === 'id')
        .map((id) => [path, id.schema.format ?? id.schema.type]),
    );
    expect(ids.length).toBeGreaterThan(35);
    expect(ids.filter(([, format]) => format !== 'uuid')).toEqual([['/schemas/ids/{id}', 'integer']]);
  });

  it('rejects unknown fields in a body, except in a signal', () => {
    const open = operationsOf(document).flatMap(([path, { requestBody }]) => {
      if (!requestBody || '$ref' in requestBody) return [];
      return Object.values(requestBody.content).flatMap(({ schema: body }) => {
        const name = body && '$ref' in body ? body.$ref.split('/').at(-1)! : null;
        return name === null || schema(name).additionalProperties === false ? [] : [[path, name]];
      });
    });
    expect(open).toEqual([['/api/v3/signals', 'Signal']]);
  });

  it('says which routes need no token', () => {
    const publicPaths = operationsOf(document).filter(([, { security }]) => security?.length === 0);
    expect([...new Set(publicPaths.map(([path]) => path))].sort()).toEqual([
      '/api/v3/sign-in',
      '/api/v3/sign-in/{provider}',
      '/api/v3/sign-in/{provider}/finish',
      '/api/v3/sign-in/{provider}/logout',
      '/health/live',
      '/health/ready',
      '/metrics',
      '/schemas/ids/{id}',
      '/schemas/signal.schema.json',
      '/subjects',
      '/subjects/{subject}/versions',
      '/subjects/{subject}/versions/{version}',
    ]);
  });

  it('says that history may be removed of each operation that reads it', () => {
    const operations = operationsOf(document);
    const reading = operations.filter(([, { parameters = [] }]) =>
      (parameters as unknown as Parameter[]).some(({ name }) => name === 'asOf' || name === 'upload'),
    );
    const others = [
      '/api/v3/assets/{id}/score/explain',
      '/api/v3/findings/accept',
      '/api/v3/findings/acts',
      '/api/v3/findings/revert',
      '/api/v3/plans',
      '/api/v3/plans/{id}',
      '/api/v3/scores/organization/explain',
      '/api/v3/webhooks',
      '/api/v3/webhooks/{id}/replay',
    ];
    const ofOthers = others.map((path) => {
      const { patch, post, get } = document.paths[path]!;
      return patch ?? post ?? get!;
    });
    expect(reading.length).toBeGreaterThan(20);
    for (const { operationId, responses } of [...reading.map(([, one]) => one), ...ofOthers])
      expect({ operationId, gone: responses[410] }).toMatchObject({ gone: { content: {} } });
  });

  it('says of each export what kind of file it is', () => {
    const { content } = document.paths['/api/v3/findings/export']!.get!.responses[200] as {
      content: Record<string, { schema: { type: string } }>;
    };
    expect(content['application/sarif+json']!.schema.type).toBe('object');
    expect(content['text/csv']!.schema.type).toBe('string');
  });
});
