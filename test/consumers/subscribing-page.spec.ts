import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { changeSchemas, FINDINGS_TOPIC, subjectOf } from '#libs/contracts';
import { shellBlock } from './page.ts';

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Field {
  name: string;
  type: unknown;
}

function publishedFields(): Field[] {
  const { schema } = changeSchemas()
    .filter(({ subject }) => subject === subjectOf(FINDINGS_TOPIC))
    .at(-1)!;
  return (schema as { fields: Field[] }).fields;
}

describe('docs/subscribing.md', () => {
  it('names the versions from npm that consumers.spec.ts runs', () => {
    const { dependencies, devDependencies } = JSON.parse(textOf('package.json'));
    for (const name of ['kafkajs', '@kafkajs/confluent-schema-registry']) {
      const version = { ...dependencies, ...devDependencies }[name];
      expect(shellBlock('npm install').split(' ')).toContain(`${name}@${version}`);
    }
  });

  it('names the fields of the API that a record does not have, or has otherwise', () => {
    const { properties } = JSON.parse(textOf('api/openapi.json')).components.schemas.FindingDto;
    const published = publishedFields().map(({ name }) => name);
    const missing = Object.keys(properties).filter((name) => !published.includes(name));
    const page = textOf('docs/subscribing.md');
    const differing = [...missing, 'counted', 'notCountedBecause'];
    expect(differing.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('publishes severities with the fields that the API has', () => {
    const { properties } = JSON.parse(textOf('api/openapi.json')).components.schemas.SeverityDto;
    const { type } = publishedFields().find(({ name }) => name === 'severity')!;
    const published = (type as { fields: Field[] }).fields.map(({ name }) => name);
    expect(published.toSorted()).toEqual(Object.keys(properties).toSorted());
  });

  it('names the version from PyPI that consumers.spec.ts runs', () => {
    const [, requirement] = /'(.+)'/.exec(shellBlock('pip install'))!;
    expect(textOf('test/consumers/requirements.txt').split('\n')).toContain(requirement);
  });
});
