import { describe, expect, it } from '@jest/globals';
import { signalSchema } from '#libs/contracts';
import { openApiSchemas } from './openapi-schemas.ts';

describe('the signal schema as OpenAPI components', () => {
  const schemas = openApiSchemas('Signal', signalSchema);

  it('is equivalent to the JSON Schema, in OpenAPI 3.0', () => {
    expect(
      openApiSchemas('A', {
        $id: 'urn:a',
        type: 'object',
        required: ['x'],
        properties: {
          x: { type: ['string', 'array'], items: { type: 'string' }, description: 'An x.', examples: ['y'] },
          type: { type: 'string', enumAnyCase: ['a', 'b'] },
          b: { $ref: '#/$defs/part' },
        },
        $defs: { part: { type: 'number', expected: 'a number' } },
      }),
    ).toEqual({
      A: {
        type: 'object',
        required: ['x'],
        properties: {
          x: {
            description: 'An x.',
            example: 'y',
            anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
          },
          type: { type: 'string', pattern: '^([aA]|[bB])$', description: 'One of a, b, in any case.' },
          b: { $ref: '#/components/schemas/APart' },
        },
      },
      APart: { type: 'number', description: 'Expected: a number.' },
    });
  });

  it('refers to nothing that is not there, and keeps no word that OpenAPI 3.0 lacks', () => {
    const text = JSON.stringify(schemas);
    const refs = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);
    expect(refs.length).toBeGreaterThan(1);
    for (const name of refs) expect(Object.keys(schemas)).toContain(name);
    expect(text).not.toMatch(/"(\$defs|\$id|enumAnyCase|expected|propertyNames|examples)":/);
    expect(text).not.toMatch(/"type":\[/);
  });

  it('names every field of the schema', () => {
    expect(Object.keys(schemas.Signal!.properties as object)).toEqual(Object.keys(signalSchema.properties));
  });
});
