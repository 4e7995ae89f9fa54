import { describe, expect, it } from '@jest/globals';
import { type Change, script } from './scripts.ts';

const { compareOpenApi } = await script('api/compare-openapi.mjs');
const { openApiReport } = await script('api/openapi-report.mjs');

const FINDING = {
  type: 'object',
  description: 'A finding',
  required: ['id'],
  properties: {
    id: { type: 'string' },
    state: { type: 'string', enum: ['Failed', 'Qualified'] },
    parent: { $ref: '#/components/schemas/Finding' },
  },
};
const content = (schema: object) => ({ 'application/json': { schema } });
const REF = { $ref: '#/components/schemas/Finding' };
const LIMIT = { name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 500 } };

/** A route that takes and returns findings. */
const documentOf = ({ finding = FINDING, parameters = [LIMIT], more = {} }: Partial<Parts> = {}) => ({
  openapi: '3.0.0',
  paths: {
    '/findings': {
      get: {
        operationId: 'list',
        parameters,
        responses: { 200: { description: '', content: content(REF) } },
      },
      post: { operationId: 'create', requestBody: { required: true, content: content(REF) }, responses: {} },
      ...more,
    },
  },
  components: { schemas: { Finding: finding } },
});
interface Parts {
  finding: object;
  parameters: object[];
  more: object;
}

const changes = (after: Partial<Parts>, before: Partial<Parts> = {}): string[] =>
  [...compareOpenApi(openApiReport(documentOf(before)), openApiReport(documentOf(after)))].map(
    ({ kind, where, what }: Change) => `${kind}: ${where}: ${what}`,
  );

const withProperty = (name: string, schema: object | undefined) => ({
  ...FINDING,
  properties: { ...FINDING.properties, [name]: schema },
});

describe('compareOpenApi', () => {
  it('reports nothing if only texts differ', () => {
    expect(changes({ finding: { ...FINDING, description: 'Another text', example: {} } })).toEqual([]);
  });

  it('keeps a field that is named like a text', () => {
    expect(changes({ finding: withProperty('description', { type: 'string' }) })).toEqual([
      'added: Finding (answer).description: new field',
      'added: Finding (request).description: new field',
    ]);
  });

  it('reports a removed field as incompatible', () => {
    const { state: _, ...properties } = FINDING.properties;
    expect(changes({ finding: { ...FINDING, properties } })).toEqual([
      'incompatible: Finding (answer).state: field removed',
      'incompatible: Finding (request).state: field removed',
    ]);
  });

  it('reports a new required field as incompatible in requests only', () => {
    const finding = { ...withProperty('name', { type: 'string' }), required: ['id', 'name'] };
    expect(changes({ finding })).toEqual([
      'added: Finding (answer).name: new field',
      'incompatible: Finding (request).name: new required field',
    ]);
  });

  it('reports a field that is no longer required as incompatible in answers only', () => {
    expect(changes({ finding: { ...FINDING, required: [] } })).toEqual([
      'incompatible: Finding (answer).id: no longer required',
      'added: Finding (request).id: no longer required',
    ]);
  });

  it('reports a new value as incompatible in answers, a removed value as incompatible in requests', () => {
    const states = (...names: string[]) => withProperty('state', { type: 'string', enum: names });
    const kinds = (after: object, before: object) =>
      changes({ finding: after }, { finding: before }).map((line) => line.split('.')[0]);
    const [fewer, more] = [states('Failed'), states('Failed', 'Qualified')];
    expect(kinds(more, fewer)).toEqual(['incompatible: Finding (answer)', 'added: Finding (request)']);
    expect(kinds(fewer, more)).toEqual(['added: Finding (answer)', 'incompatible: Finding (request)']);
  });

  it.each<[string, object, string[]]>([
    ['a new required', { name: 'q', in: 'query', required: true }, ['incompatible: new required parameter']],
    ['a new optional', { name: 'q', in: 'query', required: false }, ['added: new optional parameter']],
  ])('classifies %s parameter', (_, parameter, expected) => {
    const found = changes({ parameters: [LIMIT, parameter] });
    expect(found.map((line) => line.replace(' GET /findings query parameter q:', ''))).toEqual(expected);
  });

  it('classifies bounds of parameters', () => {
    const bounded = (maximum: number) => ({
      parameters: [{ ...LIMIT, schema: { type: 'integer', maximum } }],
    });
    const where = 'GET /findings query parameter limit: maximum is';
    expect(changes(bounded(100))).toEqual([`incompatible: ${where} 100 (500 before)`]);
    expect(changes(bounded(1000))).toEqual([`added: ${where} 1000 (500 before)`]);
  });

  it('reports removed and new routes', () => {
    const more = { delete: { operationId: 'remove', responses: {} } };
    expect(changes({ more })).toEqual(['added: DELETE /findings: new route']);
    expect(changes({}, { more })).toEqual(['incompatible: DELETE /findings: route removed']);
  });

  it('reports an unknown keyword that changed as incompatible', () => {
    const finding = withProperty('id', { type: 'string', default: 'x' });
    expect(changes({ finding })).toContain(
      'incompatible: Finding (request).id: default is "x" (absent before)',
    );
  });
});
