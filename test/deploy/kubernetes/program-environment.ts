import { lastOf, readDockerfile } from '../dockerfile.ts';
import { type Manifest, named, templateOf } from './manifests.ts';

export interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } };
}

interface Source {
  configMapRef?: { name: string };
  secretRef?: { name: string; optional?: boolean };
}

const sourcesOf = (manifest: Manifest): Source[] => containerOf(manifest).envFrom ?? [];
const containerOf = (manifest: Manifest) => templateOf(manifest).spec.containers[0];

/** The variables from ConfigMaps of a Deployment's or a CronJob's program. */
export const settingsOf = (manifests: Manifest[], manifest: Manifest): Record<string, string> =>
  Object.assign(
    {},
    ...sourcesOf(manifest).map(
      ({ configMapRef }) => configMapRef && named(manifests, 'ConfigMap', configMapRef.name).data,
    ),
  );

/** Secrets whose keys are all variables of it. */
export const secretSourcesOf = (manifest: Manifest): { name: string; optional?: boolean }[] =>
  sourcesOf(manifest).flatMap(({ secretRef }) => secretRef ?? []);

/** Those that it names itself. */
export const variablesOf = (manifest: Manifest): Variable[] => containerOf(manifest).env;

/**
 * As the kubelet makes it: the image's, the ConfigMaps', then its own, in their order.
 * @param secretOf the value of a key of a Secret
 * @throws Error if a variable is made of one that comes later
 */
export function environmentOf(
  manifests: Manifest[],
  manifest: Manifest,
  secretOf: (name: string, key: string) => string,
): Record<string, string> {
  const ofImage = Object.fromEntries(
    lastOf(readDockerfile().at(-1)!, 'ENV')!.args.map((each) => each.split('=')),
  );
  const env: Record<string, string> = { ...ofImage, ...settingsOf(manifests, manifest) };
  for (const { name, value, valueFrom } of variablesOf(manifest)) {
    const { name: secret = '', key = '' } = valueFrom?.secretKeyRef ?? {};
    env[name] = (value ?? secretOf(secret, key)).replaceAll(/\$\((\w+)\)/g, (_, other) => {
      if (env[other] === undefined) throw new Error(`${name} is made of ${other}, which comes later`);
      return env[other];
    });
  }
  return env;
}
