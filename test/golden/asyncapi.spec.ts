import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import {
  ASSETS_TOPIC,
  changeSchemas,
  FINDINGS_TOPIC,
  SCORES_TOPIC,
  type ScoreChanged,
  subjectOf,
} from '#libs/contracts';
import { INTAKE_TOPIC, REFUSED_SIGNALS_TOPIC, SIGNALS_TOPIC } from '#libs/intake';
import { deliveryBody, newSecret, placed } from '#libs/webhooks';
import { eventText } from '../../apps/gateway/src/changes/event-text.ts';
import { signedHeaders } from '../../libs/webhooks/src/signature.ts';

const specification = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0.json');
const file = new URL('../../schemas/asyncapi.yaml', import.meta.url);
const scoreSchema = changeSchemas().find(({ subject }) => subject === subjectOf(SCORES_TOPIC))!.schema as {
  fields: { name: string }[];
};
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
        SCORES_TOPIC,
        INTAKE_TOPIC,
        'posture.quarantine',
        SIGNALS_TOPIC,
        REFUSED_SIGNALS_TOPIC,
        '/api/v3/changes',
      ]),
    );
  });

  it('describes the headers of a delivery, also after four rotations within a day', () => {
    const { properties } = document.components.messages.delivery.headers;
    for (const count of [1, 5]) {
      const secrets = Array.from({ length: count }, newSecret);
      const id = 'msg_6f9619ff-8b86-5011-b42d-00c04fc964ff';
      const headers = signedHeaders({ id, at: Date.now(), body: Buffer.from('[]'), secrets });
      for (const [name, value] of Object.entries(headers))
        expect(value).toMatch(new RegExp(properties[name].pattern));
    }
  });

  it.each([
    ['changed', 8.21],
    ['deleted', null],
  ] as const)('describes a score that is %s as the stream sends it', (name, score) => {
    const at = Date.parse('2026-01-01T00:00:00.000Z');
    const changed: ScoreChanged = {
      assetId: '6f9619ff-8b86-5011-b42d-00c04fc964ff',
      assetName: 'web01',
      score,
      breachLikelihood: score && 0.1094,
      previousScore: null,
      previousBreachLikelihood: null,
      at,
      model: 'posture-1',
      catalogue: 'none',
      change: { name, at, sequence: 1, partition: 0 },
    };
    const data = JSON.parse(/^data: (.*)$/m.exec(eventText('score', changed))![1]!);
    const { streamedScore } = document.components.schemas;
    const check = addFormats.default(new Ajv({ strict: false, allErrors: true })).compile({
      ...streamedScore,
      additionalProperties: false,
    });
    expect([check(data), check.errors]).toEqual([true, null]);
    expect(check({ ...data, at })).toBe(false);
    const delivery = JSON.parse(
      `${deliveryBody({ scores: [0] }, [placed('scores', 0, { kind: 'score', changed })])}`,
    );
    const item = { ...document.components.schemas.delivery.items, additionalProperties: false };
    const checkDelivery = addFormats
      .default(new Ajv({ strict: false, allErrors: true }))
      .compile({ ...document.components.schemas.delivery, items: item });
    expect([checkDelivery(delivery), checkDelivery.errors]).toEqual([true, null]);
    expect(check(delivery[0].data)).toBe(true);
    expect(Object.keys(streamedScore.properties)).toEqual(scoreSchema.fields.map((field) => field.name));
  });
});

function exists(reference: string): boolean {
  if (!reference.startsWith('#/')) return existsSync(new URL(reference, file));
  const names = reference.slice(2).split('/');
  return names.reduce((at: any, name) => at?.[name], document) !== undefined;
}
