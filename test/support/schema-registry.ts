import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type Registry, startRegistry, whyNoRegistry } from '../../deploy/registry/registry.mjs';

/** With the download of its archive, which happens once. */
const START_MS_MAX = 300_000;

/** In CI a registry must run; elsewhere its specs are skipped if it cannot, and counted so. */
const mustRun = process.env.CI === 'true';

/** A `describe` of specs that need a schema registry of others' making: each such file starts one. */
export function describeSchemaRegistry(name: string, specs: (url: () => string) => void): void {
  const whyNot = whyNoRegistry();
  if (whyNot === undefined) describe(name, () => withRegistry(specs));
  else if (!mustRun) describe.skip(`${name} (skipped: ${whyNot})`, () => withRegistry(specs));
  else {
    it(`${name} can run`, () => {
      throw new Error(`a schema registry cannot be started here, and in CI it must: ${whyNot}`);
    });
  }
}

function withRegistry(specs: (url: () => string) => void): void {
  let registry: Registry | undefined;
  beforeAll(async () => {
    registry = await startRegistry();
  }, START_MS_MAX);
  afterAll(() => registry?.stop());
  specs(() => registry!.url);
}

/** The response of a Confluent schema registry, and of the gateway's. */
export async function queryRegistry<T = any>(
  url: string,
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body && {
      headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
      body: JSON.stringify(body),
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
