import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
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

  it('names the version from PyPI that consumers.spec.ts runs', () => {
    const [, requirement] = /'(.+)'/.exec(shellBlock('pip install'))!;
    expect(textOf('test/consumers/requirements.txt').split('\n')).toContain(requirement);
  });
});
