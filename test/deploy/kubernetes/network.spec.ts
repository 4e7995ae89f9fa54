import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { CONTEXT } from '../build-context.ts';
import { describeKubernetes } from './describe-kubernetes.ts';
import {
  buildText,
  type Manifest,
  named,
  OVERLAYS,
  ofKind,
  parseManifests,
  selects,
  templateOf,
} from './manifests.ts';
import { mayReach, type Party } from './reach.ts';

const NAMESPACE = 'posture';

const pod = (
  name: string,
  labels: Record<string, string>,
  namespace = NAMESPACE,
  namespaceLabels: Record<string, string> = {},
): Party => ({
  name,
  namespace,
  namespaceLabels: { 'kubernetes.io/metadata.name': namespace, ...namespaceLabels },
  labels,
});

/** Labels of the pods of the service, each once: jobs are all of one kind. */
const ownLabels = (manifests: Manifest[]): [component: string, labels: Record<string, string>][] => {
  const all = ofKind(manifests, 'Deployment', 'CronJob').map((each) => templateOf(each).metadata.labels!);
  return [...new Map(all.map((labels) => [labels['app.kubernetes.io/component']!, labels]))];
};

/** Labels of the operators' pods. */
const KAFKA = {
  'strimzi.io/cluster': 'log',
  'strimzi.io/kind': 'Kafka',
  'strimzi.io/name': 'log-kafka',
};
const OTHERS: Party[] = [
  pod('kafka', KAFKA),
  pod('users of kafka', {
    'strimzi.io/cluster': 'log',
    'strimzi.io/kind': 'Kafka',
    'strimzi.io/name': 'log-entity-operator',
  }),
  pod('postgres', { 'cnpg.io/cluster': 'database', 'cnpg.io/podRole': 'instance' }),
  pod('stranger', { app: 'stranger' }),
  pod('names', { 'k8s-app': 'kube-dns' }, 'kube-system'),
  pod('strimzi', { 'strimzi.io/kind': 'cluster-operator' }, 'strimzi'),
  pod('cloudnativepg', { 'app.kubernetes.io/name': 'cloudnative-pg' }, 'cnpg-system'),
  pod('keda', { app: 'keda-operator' }, 'keda'),
  pod('ingress', { app: 'ingress' }, 'ingress', { 'posture/serves-users': 'true' }),
  pod('prometheus', { app: 'prometheus' }, 'monitoring', { 'posture/reads-metrics': 'true' }),
  pod('traces', { app: 'otel-collector' }, 'tracing', { 'posture/takes-traces': 'true' }),
  pod('vault', { app: 'vault' }, 'vault', { 'posture/unwraps-keys': 'true' }),
  pod('foreigner', { 'app.kubernetes.io/component': 'gateway' }, 'elsewhere'),
  { name: 'internet', address: '203.0.113.7' },
  { name: 'internet by IPv6', address: '2001:db8::7' },
  { name: 'metadata of the cloud', address: '169.254.169.254' },
  { name: 'office', address: '10.1.2.3' },
  { name: 'office by IPv6', address: 'fd00::7' },
];
const PORTS = [22, 53, 80, 443, 3128, 4318, 5432, 6443, 8000, 8080, 8200, 8443, 9090, 9091, 9093];

/** Every connection that is let through, from or to a pod of the namespace; all else is not. */
const ALLOWED = `
gateway -> egress 3128
gateway -> kafka 9093
gateway -> names 53
gateway -> postgres 5432
gateway -> traces 4318
gateway -> vault 8200
collector -> egress 3128
collector -> kafka 9093
collector -> names 53
collector -> postgres 5432
collector -> traces 4318
collector -> vault 8200
projector -> kafka 9093
projector -> names 53
projector -> postgres 5432
projector -> traces 4318
scorer -> kafka 9093
scorer -> names 53
scorer -> postgres 5432
scorer -> traces 4318
command-line -> egress 3128
command-line -> kafka 9093
command-line -> names 53
command-line -> postgres 5432
command-line -> vault 8200
egress -> internet 443
egress -> internet by IPv6 443
egress -> names 53
ingress -> gateway 8080
prometheus -> gateway 8080
prometheus -> collector 8080
prometheus -> projector 8080
prometheus -> scorer 8080
keda -> kafka 9093
keda -> scorer 8080
strimzi -> kafka 8443
strimzi -> kafka 9090
strimzi -> kafka 9091
cloudnativepg -> postgres 5432
cloudnativepg -> postgres 8000
kafka -> internet 443
kafka -> internet 6443
kafka -> kafka 9090
kafka -> kafka 9091
kafka -> names 53
kafka -> office 443
kafka -> office 6443
users of kafka -> internet 443
users of kafka -> internet 6443
users of kafka -> kafka 9091
users of kafka -> names 53
users of kafka -> office 443
users of kafka -> office 6443
postgres -> internet 443
postgres -> internet 6443
postgres -> names 53
postgres -> office 443
postgres -> office 6443
postgres -> postgres 5432
postgres -> postgres 8000
stranger -> names 53`
  .trim()
  .split('\n');

/** The parties by words of the documentation; the operators are one row of it. */
const CALLED: [words: string, parties: string[]][] = [
  ...['gateway', 'projector', 'scorer', 'collector'].map((name): [string, string[]] => [name, [name]]),
  ['command line', ['command-line']],
  ['egress proxy', ['egress']],
  ['public addresses', ['internet', 'internet by IPv6']],
  ['serves-users', ['ingress']],
  ['reads-metrics', ['prometheus']],
  ['takes-traces', ['traces']],
  ['unwraps-keys', ['vault']],
  ['KEDA', ['keda']],
  ['Kafka', ['kafka']],
  ['PostgreSQL', ['postgres']],
];
const OF_OPERATORS = /^(strimzi|cloudnativepg|kafka|users of kafka|postgres|stranger) -> | -> names /;

it('the table of the network policies names each connection of the programs, and no other', () => {
  const page = readFileSync(join(CONTEXT, 'docs/deploying.md'), 'utf8');
  const [section] = page.split('### Network policies\n')[1]!.split('\n### ');
  const [, , ...rows] = section!.match(/^\|.*\|$/gm)!;
  const partiesIn = (cell: string) =>
    CALLED.flatMap(([words, parties]) => (cell.includes(words) ? parties : []));
  const documented = rows.flatMap((row) => {
    const [, from, to] = row.split('|');
    return partiesIn(from!).flatMap((one) => partiesIn(to!).map((other) => `${one} -> ${other}`));
  });
  const allowed = ALLOWED.filter((line) => !OF_OPERATORS.test(line)).map((line) => line.replace(/ \d+$/, ''));
  expect(documented.sort()).toEqual(allowed.sort());
});

describeKubernetes('the network policies of deploy/kubernetes', () => {
  it.each(OVERLAYS)('of %s permit each program only the connections that it needs', (overlay) => {
    const manifests = parseManifests(buildText(overlay));
    const own = ownLabels(manifests).map(([component, labels]) => pod(component, labels));
    const parties = [...own, ...OTHERS];
    const isOwn = (party: Party) => 'namespace' in party && party.namespace === NAMESPACE;
    const allowed = parties.flatMap((from) =>
      parties
        .filter((to) => isOwn(from) || isOwn(to))
        .flatMap((to) =>
          PORTS.filter((port) => mayReach(manifests, from, to, port)).map(
            (port) => `${from.name} -> ${to.name} ${port}`,
          ),
        ),
    );
    expect(allowed.sort()).toEqual([...ALLOWED].sort());
  });

  it.each(OVERLAYS)('of %s: each selects a pod, and Strimzi’s own opens no more', (overlay) => {
    const manifests = parseManifests(buildText(overlay));
    const labels = [
      ...ownLabels(manifests).map(([, each]) => each),
      ...OTHERS.flatMap((party) =>
        'namespace' in party && party.namespace === NAMESPACE ? [party.labels] : [],
      ),
    ];
    for (const { metadata, spec } of ofKind(manifests, 'NetworkPolicy')) {
      const selected = labels.filter((each) => selects(spec.podSelector, each));
      expect({ policy: metadata.name, selected: selected.length }).not.toMatchObject({ selected: 0 });
    }
    // Strimzi adds a policy for each listener: with these peers, or for everybody if there are none.
    const [listener] = named(manifests, 'Kafka', 'log').spec.kafka.listeners;
    const [first] = named(manifests, 'NetworkPolicy', 'kafka').spec.ingress;
    expect(first).toEqual({
      from: listener.networkPolicyPeers,
      ports: [{ protocol: 'TCP', port: listener.port }],
    });
  });
});
