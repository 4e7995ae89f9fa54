import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

/** An object of Kubernetes as it would be applied; the checks use its `spec`. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  /** As many shapes as there are kinds; the schemas check them. */
  [field: string]: any;
}

/** The folders that an operator applies. */
export const OVERLAYS = ['small', 'large'] as const;
export type Overlay = (typeof OVERLAYS)[number];

const FOLDER = fileURLToPath(new URL('../../../deploy/kubernetes/', import.meta.url));

/** Why no overlay can be built on this machine, as a sentence; undefined if it can. */
export const whyNoKustomize = (): string | undefined =>
  spawnSync('kubectl', ['kustomize', '--help'], { stdio: 'ignore' }).status === 0
    ? undefined
    : 'kubectl is not installed';

/** What `kubectl apply -k` would send, as YAML. @throws Error with what kustomize says */
export const buildText = (folder: string): string =>
  execFileSync('kubectl', ['kustomize', folder], { cwd: FOLDER, encoding: 'utf8' });

/** The same for an overlay with a component added to it. */
export function buildWith(overlay: Overlay, component: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'posture-overlay-'));
  try {
    const pathOf = (part: string) => relative(folder, join(FOLDER, part));
    const lines = [
      'resources:',
      `  - ${pathOf(overlay)}`,
      'components:',
      `  - ${pathOf(`components/${component}`)}`,
    ];
    writeFileSync(join(folder, 'kustomization.yaml'), lines.join('\n'));
    return buildText(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJSON() as Manifest);

export const ofKind = (manifests: Manifest[], ...kinds: string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind));

/** @throws Error if there is none */
export function named(manifests: Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

/** The pod template of a Deployment or a CronJob. */
export const templateOf = ({ spec }: Manifest): Manifest => (spec.jobTemplate?.spec ?? spec).template;

/** Whether labels match a selector (matchLabels and matchExpressions with In). */
export function selects(selector: LabelSelector, labels: Record<string, string> = {}): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`not known here: ${operator}`);
      return values.includes(labels[key] ?? '');
    })
  );
}

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}
