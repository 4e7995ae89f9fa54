import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { changeSchemas, FINDINGS_TOPIC, subjectOf } from '#libs/contracts';
import { shellBlock } from './page.ts';

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

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
    const latest = changeSchemas()
      .filter(({ subject }) => subject === subjectOf(FINDINGS_TOPIC))
      .at(-1)!;
    const published = (latest.schema as { fields: { name: string }[] }).fields.map(({ name }) => name);
    const missing = Object.keys(properties).filter((name) => !published.includes(name));
    const page = textOf('docs/subscribing.md');
    const differing = [...missing, 'counted', 'notCountedBecause'];
    expect(differing.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('names the version from PyPI that consumers.spec.ts runs', () => {
    const [, requirement] = /'(.+)'/.exec(shellBlock('pip install'))!;
    expect(textOf('test/consumers/requirements.txt').split('\n')).toContain(requirement);
  });
});
