import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { script } from './scripts.ts';

const { compareEventSchemas } = await script('api/compare-event-schemas.mjs');
const { compareClient } = await script('api/compare-client.mjs');
const { compareSurfaces, REPORTS } = await script('api/surface.mjs');

const record = (...fields: object[]) => ({ type: 'record', name: 'FindingChanged', fields });
const ID = { name: 'id', type: 'string' };
const report = (latest: object, isPublished = true, ids = [1]) => ({
  FindingChanged: { isPublished, ids, latest },
});
const kinds = (before: object, after: object) =>
  [...compareEventSchemas(before, after)].map(({ kind }: { kind: string }) => kind);

describe('compareEventSchemas', () => {
  it('accepts a new field with a default', () => {
    const owner = { name: 'owner', type: ['null', 'string'], default: null };
    expect(kinds(report(record(ID)), report(record(ID, owner)))).toEqual(['added']);
  });

  it('rejects a new field without a default', () => {
    const owner = { name: 'owner', type: 'string' };
    expect(kinds(report(record(ID)), report(record(ID, owner)))).toEqual(['incompatible']);
  });

  it('rejects a removed field if subscribers read it', () => {
    const owner = { name: 'owner', type: 'string' };
    expect(kinds(report(record(ID, owner)), report(record(ID)))).toEqual(['incompatible']);
    // Only the service reads the log, and an unknown field is no obstacle to it.
    expect(kinds(report(record(ID, owner), false), report(record(ID), false))).toEqual(['added']);
  });

  it('rejects the removal of a schema and of an id', () => {
    expect(kinds(report(record(ID)), {})).toEqual(['incompatible']);
    expect(kinds(report(record(ID), true, [1, 2]), report(record(ID), true, [2]))).toEqual(['incompatible']);
    expect(kinds({}, report(record(ID)))).toEqual(['added']);
  });
});

describe('compareClient', () => {
  const OPTIONS = 'export interface Options {\n    // (undocumented)\n    retry?: number;\n}\n';

  it('reports a changed line as incompatible and a new line as added', () => {
    const found = (after: string) => [...compareClient(OPTIONS, after)].map(({ kind }) => kind);
    expect(found(OPTIONS.replace('(undocumented)', 'Number of attempts'))).toEqual([]);
    expect(found(OPTIONS.replace('}', '    url?: string;\n}'))).toEqual(['added']);
    expect(found(OPTIONS.replace('number', 'string'))).toEqual(['incompatible', 'added']);
  });

  it('distinguishes equal lines of different declarations', () => {
    const other = OPTIONS.replace('Options', 'Others');
    const found = [...compareClient(OPTIONS + other, OPTIONS + other.replace(/ {4}retry.*\n/, ''))];
    expect(found).toMatchObject([{ kind: 'incompatible' }]);
  });
});

it('the stored reports are equal to themselves', async () => {
  const stored = Object.fromEntries(
    await Promise.all(Object.keys(REPORTS).map(async (path) => [path, await readFile(path, 'utf8')])),
  );
  expect(compareSurfaces(stored, stored)).toEqual([]);
  const openapi = stored['api/openapi.json']!.replace('"/api/v3/findings"', '"/api/v3/weaknesses"');
  expect(compareSurfaces(stored, { ...stored, 'api/openapi.json': openapi })).toMatchObject([
    { kind: 'incompatible', where: 'GET /api/v3/findings', what: 'route removed' },
    { kind: 'added', where: 'GET /api/v3/weaknesses', what: 'new route' },
  ]);
});
