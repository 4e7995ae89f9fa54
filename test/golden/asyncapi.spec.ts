import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { ASSETS_TOPIC, FINDINGS_TOPIC } from '#libs/contracts';
import { INTAKE_TOPIC } from '#libs/intake';

const specification = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0.json');
const file = new URL('../../schemas/asyncapi.yaml', import.meta.url);
const document = parse(readFileSync(file, 'utf8'));

const validate = (given: unknown): unknown[] => {
  // The specification carries its own copy of the meta-schema.
  const ajv = new Ajv({ meta: false, strict: false, allErrors: true, validateFormats: false });
  const check = ajv.compile({ ...specification, $schema: undefined });
  return check(given)
    ? []
    : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

describe('schemas/asyncapi.yaml', () => {
  it('is an AsyncAPI 3.0 document', () => {
    expect(validate(document)).toEqual([]);
    expect(validate({ ...document, channels: { findings: { adress: 'posture.findings' } } })).not.toEqual([]);
  });

  it('refers to nothing that is not there', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
    const missing = [...references]
      .map(([, reference]) => reference!)
      .filter((reference) => !exists(reference));
    expect(missing).toEqual([]);
  });

  it('names the topics by their names', () => {
    const addresses = Object.values(document.channels as Record<string, { address: string }>);
    expect(addresses.map(({ address }) => address)).toEqual(
      expect.arrayContaining([
        FINDINGS_TOPIC,
        ASSETS_TOPIC,
        INTAKE_TOPIC,
        'posture.quarantine',
        '/api/v3/changes',
      ]),
    );
  });
});

function exists(reference: string): boolean {
  if (!reference.startsWith('#/')) return existsSync(new URL(reference, file));
  const names = reference.slice(2).split('/');
  return names.reduce((at: any, name) => at?.[name], document) !== undefined;
}
