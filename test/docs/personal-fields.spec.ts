import { describe, expect, it } from '@jest/globals';
import { script } from '../api/scripts.ts';
import { textOf } from './project-texts.ts';

interface Field {
  schema: string;
  path: string;
  personal: string | undefined;
  isText: boolean;
}

const { allFields, fieldsOf, problemOf, withTables } = await script('privacy/personal-fields.mjs');

const record = (...fields: object[]) => ({ type: 'record', name: 'Example', fields });
const problemsOf = (...fields: object[]) =>
  fieldsOf(record(...fields), (name: string) => name === 'Envelope').map(problemOf);

describe('fields of the event schemas (ADR-0078)', () => {
  const fields: Field[] = allFields();

  it('state whether they are personal', () => {
    expect(fields.length).toBeGreaterThan(200);
    expect(fields.map(problemOf).filter((problem) => problem !== null)).toEqual([]);
  });

  it('have one answer in all versions of a schema', () => {
    const answers = new Map<string, Set<string | undefined>>();
    for (const { schema, path, personal } of fields) {
      const where = `${schema}.${path}`;
      answers.set(where, (answers.get(where) ?? new Set()).add(personal));
    }
    expect([...answers].filter(([, found]) => found.size > 1)).toEqual([]);
  });

  it('include names, evidence and the users who acted', () => {
    const personal = new Map(fields.map((field) => [`${field.schema}.${field.path}`, field.personal]));
    expect(personal.get('EntityDescription.name')).toBe('name');
    expect(personal.get('SignalReceived.observations.instances.evidence')).toBe('entity');
    expect(personal.get('Envelope.cause.user')).toBe('actor');
    expect(personal.get('CredentialChanged.username')).toBe('person');
    expect(personal.get('Envelope.entityKey')).toBe('pseudonym');
    expect(personal.get('SignalReceived.observations.instances.severity.value')).toBe('no');
  });

  it('are listed in docs/privacy.md (npm run personal-fields)', async () => {
    const page = await textOf('docs/privacy.md');
    expect(withTables(page)).toBe(page);
    expect(() => withTables('# A page without the marks')).toThrow(/no place for the tables/);
  });
});

describe('a field is rejected', () => {
  it('without the attribute, also inside of lists and maps', () => {
    const inner = { type: 'array', items: { ...record({ name: 'by', type: 'string' }), name: 'Inner' } };
    expect(
      problemsOf({ name: 'owner', type: ['null', 'string'] }, { name: 'acts', type: ['null', inner] }),
    ).toEqual([
      'Example.owner does not state whether it is personal',
      'Example.acts.by does not state whether it is personal',
    ]);
    const map = { type: 'map', values: { type: 'array', items: 'string' } };
    expect(problemsOf({ name: 'tags', type: map })).toHaveLength(1);
    expect(problemsOf({ name: 'envelope', type: 'Envelope' })).toEqual([]);
  });

  it('with another value than the known ones, or one that does not suit its type', () => {
    expect(problemsOf({ name: 'owner', type: 'string', personal: 'maybe' })).toEqual([
      expect.stringMatching(/^Example\.owner: personal must be one of no, entity, .* \(got maybe\)$/),
    ]);
    expect(problemsOf({ name: 'score', type: 'double', personal: 'entity' })).toEqual([
      'Example.score: only texts can be entity',
    ]);
  });

  it('if it contains records, whose fields state it', () => {
    const inner = { ...record({ name: 'by', type: 'string', personal: 'actor' }), name: 'Inner' };
    expect(problemsOf({ name: 'act', type: inner, personal: 'no' })).toEqual([
      'Example.act contains records: only their fields state whether they are personal',
      null,
    ]);
  });
});
