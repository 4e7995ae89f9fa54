import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '#libs/config';
import { TOPICS } from '#libs/event-log';
import { PROJECTORS, SCORERS } from '#libs/program';
import { readMetrics, scoreLagChanges } from '#libs/telemetry';
import { MEGABYTE, STOP_MS_MAX } from '../../../apps/gateway/src/http/http-limits.ts';
import { REPORT_BYTES_MAX } from '../../../apps/gateway/src/reports/report-limits.ts';
import { CONTEXT } from '../build-context.ts';
import { lastOf, readDockerfile } from '../dockerfile.ts';
import { GATEWAY_MB_MIN } from '../gateway-memory.ts';
import { PINNED_IMAGE } from '../pinned-image.ts';
import { describeKubernetes } from './describe-kubernetes.ts';
import {
  buildText,
  buildWith,
  type Manifest,
  named,
  OVERLAYS,
  ofKind,
  parseManifests,
  selects,
  templateOf,
} from './manifests.ts';
import { problemsOf } from './operator-schemas.ts';
import { environmentOf, secretSourcesOf, settingsOf, variablesOf } from './program-environment.ts';

/** Maximum of a program's database connections, and those left for people and operators. */
const CONNECTIONS_OF_PROGRAM = 20;
const CONNECTIONS_OF_OTHERS = 20;
/** Not of the service, but of every client of PostgreSQL, and of Node. */
const OTHER_VARIABLES = ['PGUSER', 'PGPASSWORD', 'NODE_EXTRA_CA_CERTS'];
/** How long a proxy must wait for an answer, by docs/security.md. */
const SILENT_SECONDS_MIN = 90;
/** Around the largest report, in a form of DefectDojo's import API. */
const FORM_BYTES = MEGABYTE;
/** The values of a Secret in the test. */
const SECRET_VALUE = 's'.repeat(40);
const folder = mkdtempSync(join(tmpdir(), 'posture-role-'));
const passwordFile = join(folder, 'password');
writeFileSync(passwordFile, SECRET_VALUE);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(join(CONTEXT, 'docs/deploying.md'), 'utf8');
const image = readDockerfile().at(-1)!;

/** All that a user of Kafka may: `*` is for a prefix. */
const READS = ['Describe topic posture.*', 'DescribeConfigs topic posture.*', 'Read topic posture.*'];
const publishes = (topic: string) => [
  `Describe transactionalId ${topic}-*`,
  `Write topic ${topic}`,
  `Write transactionalId ${topic}-*`,
];
const follows = (group: string) => [`Describe group ${group}`, `Read group ${group}`];
const RIGHTS: Record<string, string[]> = {
  gateway: [...READS, 'Write topic posture.intake'],
  collector: [...READS, 'Write topic posture.intake'],
  projector: [
    ...READS,
    'Write topic posture.intake',
    ...['posture.findings', 'posture.assets', 'posture.quarantine'].flatMap(publishes),
    ...follows(PROJECTORS.name),
  ],
  scorer: [...READS, ...publishes('posture.scores'), ...follows(SCORERS.name)],
  'command-line': [
    ...READS,
    'Create topic posture.*',
    'Delete topic posture.intake',
    'Write topic posture.intake',
  ],
  'log-lag': ['Describe topic posture.*', `Describe group ${PROJECTORS.name}`],
};

const podOf = (manifest: Manifest) => templateOf(manifest).spec;
const containersOf = (manifest: Manifest) => podOf(manifest).containers;

describeKubernetes('deploy/kubernetes', () => {
  describe.each(OVERLAYS)('%s', (overlay) => {
    const manifests = parseManifests(buildText(overlay));
    const deployments = ofKind(manifests, 'Deployment').map((each) => [each.metadata.name, each] as const);
    const programs = deployments.filter(
      ([, { metadata }]) => metadata.labels?.['posture/runs'] === 'program',
    );
    const jobs = ofKind(manifests, 'CronJob').map((each) => [each.metadata.name, each] as const);
    const workloads = [...deployments, ...jobs];
    const scalers = ofKind(manifests, 'ScaledObject', 'HorizontalPodAutoscaler');
    const kafka = named(manifests, 'Kafka', 'log').spec.kafka;
    const pools = ofKind(manifests, 'KafkaNodePool');
    const users = ofKind(manifests, 'KafkaUser');
    const database = named(manifests, 'Cluster', 'database');

    /** The mounted password is a file of the test. */
    const environment = (workload: Manifest) => {
      const env = environmentOf(manifests, workload, () => SECRET_VALUE);
      return env.DATABASE_PASSWORD_FILE ? { ...env, DATABASE_PASSWORD_FILE: passwordFile } : env;
    };
    /** The Secret of the volume that the password of the role is mounted from. */
    const roleSecretOf = (program: Manifest): string => {
      const file = variablesOf(program).find(({ name }) => name === 'DATABASE_PASSWORD_FILE')!.value!;
      const { name } = containersOf(program)[0].volumeMounts.find(
        ({ mountPath }: { mountPath: string }) => mountPath === dirname(file),
      );
      const { secret } = podOf(program).volumes.find((volume: { name: string }) => volume.name === name);
      expect(secret.items).toContainEqual({ key: 'password', path: basename(file) });
      return secret.secretName;
    };
    const secretOf = (workload: Manifest, variable: string) =>
      variablesOf(workload).find(({ name }) => name === variable)?.valueFrom?.secretKeyRef?.name;

    const podsAtMost = ({ metadata, spec }: Manifest): number => {
      const scaler = scalers.find((each) => each.spec.scaleTargetRef.name === metadata.name);
      return (scaler?.spec.maxReplicas ?? scaler?.spec.maxReplicaCount ?? spec.replicas) + 1;
    };

    it('has every object once, in one namespace of the strictest kind', () => {
      const names = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
      const namespace = named(manifests, 'Namespace', 'posture');
      expect(namespace.metadata.labels!['pod-security.kubernetes.io/enforce']).toBe('restricted');
      const others = manifests.filter((manifest) => manifest !== namespace);
      expect(new Set(others.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['posture']));
    });

    it('runs all programs that run apart, each from the image', () => {
      const apps = readdirSync(join(CONTEXT, 'apps')).filter((app) =>
        existsSync(join(CONTEXT, 'apps', app, 'src/main.ts')),
      );
      const apart = apps.filter((app) => !['cli', 'standalone', 'simulators'].includes(app));
      expect(programs.map(([name]) => name).sort()).toEqual(apart.sort());
      for (const [name, program] of programs) {
        expect(containersOf(program)).toHaveLength(1);
        expect(containersOf(program)[0].args).toEqual([`dist/programs/${name}.js`]);
        expect(podOf(program).securityContext.runAsUser).toBe(
          Number(lastOf(image, 'USER')!.args[0]!.split(':')[0]),
        );
      }
    });

    it('is applied by the steps of a change of version: dependencies of programs first, each object once', () => {
      const [steps] = /kubectl apply -k deploy\/kubernetes\/small -l '!(.+)' &&\n(.*\n)+?.* done\n/.exec(
        page,
      )!;
      const [, label] = /-l '!(.+)'/.exec(steps)!;
      const [, programsInTurn] = /for program in (.+); do/.exec(steps)!;
      expect(steps).toContain(`-l ${label}=$program`);
      const programOrder = programsInTurn!.split(' ');
      expect(programOrder).toEqual([...new Set(programOrder)]);
      const stepsOf = ({ metadata }: Manifest) => {
        const component = metadata.labels?.[label!];
        return component === undefined ? 1 : programOrder.filter((program) => program === component).length;
      };
      const notOnce = manifests.filter((manifest) => stepsOf(manifest) !== 1);
      expect(notOnce.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([]);
      const later = manifests.filter(({ metadata }) => metadata.labels?.[label!] !== undefined);
      expect(new Set(later.map(({ kind }) => kind))).toEqual(new Set(['Deployment', 'Service']));
    });

    it.each(deployments)('%s: its selectors match only its own pods', (name, deployment) => {
      const labels = deployment.spec.template.metadata.labels;
      expect(deployments.filter(([, each]) => selects(each.spec.selector, labels))).toHaveLength(1);
      const budgets = ofKind(manifests, 'PodDisruptionBudget').filter(({ spec }) =>
        selects(spec.selector, labels),
      );
      expect(budgets.map(({ metadata }) => metadata.name)).toEqual([name]);
      expect(budgets[0]!.spec).toMatchObject({
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      });
      for (const { labelSelector } of podOf(deployment).topologySpreadConstraints) {
        expect(labelSelector).toEqual(deployment.spec.selector);
      }
    });

    it.each(deployments)('%s: how many there are, one says', (name, deployment) => {
      const own = scalers.filter(({ spec }) => spec.scaleTargetRef.name === name);
      expect(own.length + (deployment.spec.replicas === undefined ? 0 : 1)).toBe(1);
      // A budget that may take one away wants another one to stay, or work that may wait.
      const fewest = own[0]?.spec.minReplicas ?? own[0]?.spec.minReplicaCount ?? deployment.spec.replicas;
      expect(fewest).toBeGreaterThanOrEqual(name === 'scorer' ? 1 : 2);
    });

    it.each(jobs)('%s: a job of the command line, one at a time', (_, job) => {
      expect(job.spec.concurrencyPolicy).toBe('Forbid');
      expect(podOf(job)).toMatchObject({
        restartPolicy: 'Never',
        securityContext: podOf(programs[0]![1]).securityContext,
      });
      const [{ image: from, args }] = containersOf(job);
      expect(from).toBe(containersOf(programs[0]![1])[0].image);
      expect(['apps/cli/posture.js', '-e']).toContain(args[0]);
      const taken = image.instructions
        .filter(({ keyword }) => keyword === 'COPY')
        .map(({ args: [, to] }) => to);
      for (const file of args.filter((arg: string) => arg.includes('.'))) expect(taken).toContain(file);
    });

    it.each(workloads)('%s: is not root, on a file system that it cannot write to', (_, workload) => {
      const pod = podOf(workload);
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(pod.hostNetwork ?? pod.hostPID ?? pod.hostIPC ?? false).toBe(false);
      for (const { securityContext, volumeMounts } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        for (const { name, readOnly } of volumeMounts) {
          const volume = pod.volumes.find((each: { name: string }) => each.name === name);
          const claim = volume.persistentVolumeClaim?.claimName;
          if (claim) expect(named(manifests, 'PersistentVolumeClaim', claim)).toBeDefined();
          else if (!readOnly) expect(volume).toEqual({ name, emptyDir: { sizeLimit: expect.any(String) } });
        }
      }
    });

    it('runs PostgreSQL from an image of a digest', () => {
      expect(database.spec.imageName).toMatch(PINNED_IMAGE);
    });

    it.each(workloads)('%s: bounded, of a named version; images of others by their digest', (_, workload) => {
      for (const container of containersOf(workload)) {
        const isOwn = container.image.startsWith('registry.example.com/posture:');
        expect(container.image).toMatch(isOwn ? /:[\d.]+$/ : PINNED_IMAGE);
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.any(String), memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
      }
    });

    it('gives the gateway memory for what its workers may use', () => {
      const [{ resources }] = containersOf(named(manifests, 'Deployment', 'gateway'));
      expect(resources.limits.memory).toMatch(/^\d+Gi$/);
      expect(Number.parseInt(resources.limits.memory, 10) * 1_024).toBeGreaterThanOrEqual(GATEWAY_MB_MIN);
    });

    it.each(deployments)('%s: probed, given time to end', (_, deployment) => {
      const pod = podOf(deployment);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30);
      for (const container of pod.containers) {
        const pause = container.lifecycle?.preStop.sleep.seconds ?? 0;
        expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(pause + STOP_MS_MAX / 1_000);
        const ports = container.ports.map(({ name }: { name: string }) => name);
        for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
          expect(ports).toContain((container[probe].httpGet ?? container[probe].tcpSocket).port);
        }
      }
    });

    it.each(programs)('%s: has probes for liveness and readiness', (name, program) => {
      const [{ startupProbe, livenessProbe, readinessProbe, ports }] = containersOf(program);
      expect(startupProbe.httpGet.path).toBe('/health/live');
      expect(livenessProbe.httpGet.path).toBe('/health/live');
      // Queries and sign-in of a gateway continue without the log and with a clock that is not trusted.
      expect(readinessProbe.httpGet.path).toBe(name === 'gateway' ? '/health/live' : '/health/ready');
      expect(`${ports[0].containerPort}`).toBe(environment(program).PORT);
      // Migrations come before the first answer, and a statement of one may take an hour.
      const startSeconds = startupProbe.periodSeconds * startupProbe.failureThreshold;
      expect(startSeconds).toBeGreaterThanOrEqual(3_600);
      expect(program.spec.progressDeadlineSeconds).toBeGreaterThan(startSeconds);
    });

    it.each([...programs, ...jobs])(
      '%s: is configured by variables that it knows, to values that it takes',
      (_, program) => {
        const env = environment(program);
        expect(() => readConfig(env)).not.toThrow();
        const own = [
          ...Object.keys(settingsOf(manifests, program)),
          ...variablesOf(program).map(({ name }) => name),
        ];
        expect(new Set(own).size).toBe(own.length);
        for (const name of own.filter((each) => !OTHER_VARIABLES.includes(each))) {
          // In addition to the others: a user name is used if there is a way to sign in.
          expect(() => readConfig({ ...env, [name]: '\0' })).toThrow(`${name} must be`);
        }
      },
    );

    it('gives the variables of a KMS to programs that encrypt, and starts them without it', () => {
      const secrets = [...programs, ...jobs].map(([name, program]) => [name, secretSourcesOf(program)]);
      const kms = [{ name: 'kms', optional: true }];
      expect(Object.fromEntries(secrets)).toEqual({
        collector: kms,
        'command-line': kms,
        gateway: kms,
        backup: [],
        migrate: [],
        projector: [],
        scorer: [],
        verify: [],
      });
      // As the page of the operator creates it.
      const operating = readFileSync(join(CONTEXT, 'docs/operating.md'), 'utf8');
      const [command] = /create secret generic kms (?:.*\\\n)*.*/.exec(operating)!;
      const made = [...command.matchAll(/--from-literal=(\w+)=(\S+)/g)].map(([, name, value]) => [
        name!,
        value!,
      ]);
      expect(made.map(([name]) => name)).toEqual(['VAULT_ADDR', 'VAULT_TRANSIT_KEY', 'VAULT_TOKEN']);
      const [, gateway] = programs.find(([name]) => name === 'gateway')!;
      const env = { ...environment(gateway), ...Object.fromEntries(made) };
      expect(readConfig(env)).toMatchObject({ vaultAddress: env.VAULT_ADDR, vaultTransitKey: 'posture' });
    });

    it('gives keys to programs that sign and encrypt, and the first admin to the gateway', () => {
      const holders = (variable: string) =>
        [...programs, ...jobs]
          .filter(([, program]) => variablesOf(program).some(({ name }) => name === variable))
          .map(([name]) => name)
          .sort();
      // A command can seal and open personal texts, and download a catalogue.
      expect(holders('POSTURE_SECRET_KEY')).toEqual(['collector', 'command-line', 'gateway']);
      expect(holders('POSTURE_PREVIOUS_SECRET_KEY')).toEqual(['collector', 'command-line', 'gateway']);
      expect(holders('EGRESS_PROXY')).toEqual(['collector', 'command-line', 'gateway']);
      expect(holders('POSTURE_ADMIN_PASSWORD')).toEqual(['gateway']);
      const literals = programs.flatMap(([, program]) =>
        variablesOf(program).filter(
          ({ name, value }) => /(PASSWORD|SECRET_KEY)$/.test(name) && value !== undefined,
        ),
      );
      expect(literals).toEqual([]);
    });

    it('refers to Secrets that an operator or a step creates, by their keys', () => {
      // As the page describes.
      const [ofSite] = /create secret generic posture-secrets (?:.*\\\n)*.*/.exec(page)!;
      const [, ofRoles] = /for program in (.+); do\n.* create secret generic database-\$program /.exec(page)!;
      const made: Record<string, string[]> = {
        'posture-secrets': [...ofSite.matchAll(/--from-literal=([\w-]+)=/g)].map(([, key]) => key!),
        ...Object.fromEntries(
          ofRoles!.split(' ').map((program) => [`database-${program}`, ['username', 'password']]),
        ),
        [`${database.metadata.name}-app`]: ['username', 'password'],
        [`${database.metadata.name}-ca`]: ['ca.crt'],
        'log-cluster-ca-cert': ['ca.crt'],
        ...Object.fromEntries(users.map(({ metadata }) => [metadata.name, ['password']])),
      };
      const ofVariables = [...programs, ...jobs].flatMap(([, program]) =>
        variablesOf(program).flatMap(({ valueFrom }) =>
          valueFrom?.secretKeyRef && !valueFrom.secretKeyRef.optional ? [valueFrom.secretKeyRef] : [],
        ),
      );
      const ofVolumes = workloads.flatMap(([, each]) =>
        podOf(each).volumes.flatMap(
          ({ secret }: { secret?: { secretName: string; items: { key: string }[] } }) =>
            secret ? secret.items.map(({ key }) => ({ name: secret.secretName, key })) : [],
        ),
      );
      const ofScalers = ofKind(manifests, 'TriggerAuthentication').flatMap(
        ({ spec }) => spec.secretTargetRef,
      );
      const ofRole = database.spec.managed.roles.flatMap(
        ({ passwordSecret }: { passwordSecret?: { name: string } }) =>
          passwordSecret ? [{ name: passwordSecret.name, key: 'password' }] : [],
      );
      for (const { name, key } of [...ofVariables, ...ofVolumes, ...ofScalers, ...ofRole]) {
        expect({ name, keys: made[name] }).toEqual({ name, keys: expect.arrayContaining([key]) });
      }
      for (const { spec } of ofKind(manifests, 'Ingress')) expect(page).toContain(spec.tls[0].secretName);
    });

    it('refers to ConfigMaps that are there, by the keys that they have', () => {
      const volumes = deployments.flatMap(([, each]) => podOf(each).volumes);
      for (const { configMap } of volumes.filter((each) => each.configMap && !each.configMap.optional)) {
        expect(named(manifests, 'ConfigMap', configMap.name).data['squid.conf']).toContain('http_port 3128');
      }
      for (const { spec } of ofKind(manifests, 'TriggerAuthentication')) {
        for (const { name, key } of spec.configMapTargetRef ?? []) {
          expect(named(manifests, 'KafkaUser', named(manifests, 'ConfigMap', name).data[key])).toBeDefined();
        }
      }
    });

    it('leads users and programs to ports that are there', () => {
      for (const { spec } of ofKind(manifests, 'Service')) {
        const [behind, ...more] = deployments.filter(([, each]) =>
          selects({ matchLabels: spec.selector }, each.spec.template.metadata.labels),
        );
        expect(more).toEqual([]);
        const names = containersOf(behind![1])[0].ports.map(({ name }: { name: string }) => name);
        for (const { targetPort } of spec.ports) expect(names).toContain(targetPort);
      }
      const { backend } = named(manifests, 'Ingress', 'gateway').spec.rules[0].http.paths[0];
      const service = named(manifests, 'Service', backend.service.name);
      expect(service.spec.ports.map(({ name }: { name: string }) => name)).toContain(
        backend.service.port.name,
      );
      const proxy = new URL(environment(programs.find(([name]) => name === 'collector')![1]).EGRESS_PROXY!);
      const { spec } = named(manifests, 'Service', proxy.hostname);
      expect(spec.ports.map(({ port }: { port: number }) => `${port}`)).toContain(proxy.port);
    });

    it('sets the trusted proxies of the gateway, and the limits of the ingress', () => {
      const gateway = named(manifests, 'Deployment', 'gateway');
      expect(readConfig(environment(gateway)).trustedProxies).toMatch(/\/\d+$/);
      expect(page).toContain('`TRUSTED_PROXIES`');
      const annotations = Object.entries(named(manifests, 'Ingress', 'gateway').metadata.annotations!);
      const told = Object.fromEntries(annotations.map(([name, value]) => [name.split('/')[1], value]));
      expect(told['proxy-body-size']).toMatch(/^\d+m$/);
      expect(Number.parseInt(told['proxy-body-size']!, 10) * MEGABYTE).toBeGreaterThanOrEqual(
        REPORT_BYTES_MAX + FORM_BYTES,
      );
      expect(told['proxy-request-buffering']).toBe('off');
      expect(Number(told['proxy-read-timeout'])).toBeGreaterThanOrEqual(SILENT_SECONDS_MIN);
    });

    it.each(programs)('%s: shows its metrics to who has the token that the page makes', (_, program) => {
      const token = variablesOf(program).find(({ name }) => name === 'METRICS_TOKEN')!.valueFrom!
        .secretKeyRef!;
      expect(token).toEqual({ name: 'posture-secrets', key: 'metrics-token', optional: true });
      expect(page).toContain(`--from-literal=${token.key}=`);
    });

    describe('Kafka', () => {
      const [listener] = kafka.listeners;
      const config = readConfig(environment(programs[0]![1]));
      const pom = readFileSync(join(CONTEXT, 'deploy/kafka/pom.xml'), 'utf8');

      it('is the version that the tests run, only with TLS and password', () => {
        expect(kafka.version).toBe(
          /<artifactId>kafka_[\d.]+<\/artifactId>\s*<version>([\d.]+)</.exec(pom)![1],
        );
        expect(kafka.listeners).toHaveLength(1);
        expect(listener).toMatchObject({ tls: true, authentication: { type: 'scram-sha-512' } });
        expect(listener.networkPolicyPeers.length).toBeGreaterThan(0);
        expect(kafka.authorization.type).toBe('simple');
      });

      it('is at the address of all programs, each with its own user', () => {
        for (const [name, each] of [...programs, ...jobs]) {
          const user = each.kind === 'CronJob' ? 'command-line' : name;
          expect(readConfig(environment(each))).toMatchObject({
            kafkaBrokers: `log-kafka-bootstrap:${listener.port}`,
            kafkaSsl: true,
            kafkaSaslMechanism: listener.authentication.type,
            kafkaSaslUsername: user,
          });
          expect(secretOf(each, 'KAFKA_SASL_PASSWORD')).toBe(user);
        }
      });

      it('has an authority that is renewed long before it ends', () => {
        const { validityDays, renewalDays } = named(manifests, 'Kafka', 'log').spec.clusterCa;
        expect(renewalDays).toBeGreaterThanOrEqual(365);
        expect(validityDays).toBeGreaterThan(renewalDays);
      });

      it('has nodes enough for its copies, and keeps their disks', () => {
        const brokers = pools.filter(({ spec }) => spec.roles.includes('broker'));
        const controllers = pools.filter(({ spec }) => spec.roles.includes('controller'));
        const count = (some: Manifest[]) => some.reduce((sum, { spec }) => sum + spec.replicas, 0);
        expect(count(brokers)).toBeGreaterThanOrEqual(config.kafkaReplication!);
        expect(kafka.config).toMatchObject({
          'auto.create.topics.enable': false,
          'delete.topic.enable': false,
          'offsets.topic.replication.factor': config.kafkaReplication,
          'transaction.state.log.replication.factor': config.kafkaReplication,
          'transaction.state.log.min.isr': config.kafkaReplication! - 1,
        });
        expect(count(controllers) % 2).toBe(1);
        for (const { metadata, spec } of pools) {
          expect(metadata.labels).toMatchObject({ 'strimzi.io/cluster': 'log' });
          for (const { deleteClaim } of spec.storage.volumes) expect(deleteClaim).toBe(false);
          for (const { labelSelector } of spec.template.pod.topologySpreadConstraints) {
            expect(labelSelector.matchLabels['strimzi.io/pool-name']).toBe(metadata.name);
          }
        }
      });

      it('gives each user rights on its own topics of the product, and nothing else', () => {
        const rightsOf = ({ spec }: Manifest): string[] =>
          spec.authorization.acls.flatMap(
            ({ resource, operations }: { resource: Record<string, string>; operations: string[] }) =>
              operations.map(
                (operation) =>
                  `${operation} ${resource.type} ${resource.name}${resource.patternType === 'prefix' ? '*' : ''}`,
              ),
          );
        const rights = users.map((user) => [user.metadata.name, rightsOf(user).sort()] as const);
        expect(Object.fromEntries(rights)).toEqual(
          Object.fromEntries(Object.entries(RIGHTS).map(([name, all]) => [name, [...all].sort()])),
        );
        const written = rights.flatMap(([, all]) => all.filter((right) => right.startsWith('Write topic')));
        expect([...new Set(written)].sort()).toEqual(TOPICS.map(({ name }) => `Write topic ${name}`).sort());
      });

      it.each([...programs, ...jobs])(
        '%s trusts its authority, and for other connections those of the site if there are some',
        (_, workload) => {
          const { KAFKA_CA_FILE, NODE_EXTRA_CA_CERTS } = environment(workload);
          const volumeAt = (file: string) => {
            const { name } = containersOf(workload)[0].volumeMounts.find(
              ({ mountPath }: { mountPath: string }) => mountPath === dirname(file),
            );
            return podOf(workload).volumes.find((volume: { name: string }) => volume.name === name);
          };
          expect(volumeAt(KAFKA_CA_FILE!).secret.secretName).toBe('log-cluster-ca-cert');
          expect(volumeAt(NODE_EXTRA_CA_CERTS!).configMap).toEqual({ name: 'authorities', optional: true });
        },
      );

      it.each([PROJECTORS, SCORERS])('scales $name up to its partitions', ({ name }) => {
        const { spec } = named(manifests, 'ScaledObject', name);
        const [{ authenticationRef }] = spec.triggers;
        expect(spec.maxReplicaCount).toBeLessThanOrEqual(config.logPartitions);
        expect(spec.minReplicaCount).toBeLessThan(spec.maxReplicaCount);
        expect(named(manifests, 'TriggerAuthentication', authenticationRef.name)).toBeDefined();
      });

      it('scales projectors by the lag of their group', () => {
        const [{ metadata }] = named(manifests, 'ScaledObject', PROJECTORS.name).spec.triggers;
        expect(metadata.consumerGroup).toBe(PROJECTORS.name);
        expect(PROJECTORS.topics).toContain(metadata.topic);
        expect(metadata.bootstrapServers).toBe(`log-kafka-bootstrap.posture.svc:${listener.port}`);
      });

      it('scales scorers by the changes that are not scored, which the lag of their group does not count', async () => {
        const { spec } = named(manifests, 'ScaledObject', SCORERS.name);
        const [{ metadata, authenticationRef }] = spec.triggers;
        const { hostname, pathname } = new URL(metadata.url);
        const [service] = hostname.split('.');
        const scorer = named(manifests, 'Deployment', SCORERS.name);
        const { selector } = named(manifests, 'Service', service!).spec;
        expect(pathname).toBe('/metrics');
        expect(selects({ matchLabels: selector }, templateOf(scorer).metadata.labels)).toBe(true);
        scoreLagChanges.set(25_000);
        expect(await readMetrics()).toMatch(new RegExp(`^${metadata.valueLocation} 25000$`, 'm'));
        const { secretTargetRef } = named(manifests, 'TriggerAuthentication', authenticationRef.name).spec;
        expect(secretTargetRef).toEqual([
          { parameter: 'token', name: secretOf(scorer, 'METRICS_TOKEN'), key: 'metrics-token' },
        ]);
      });
    });

    describe('PostgreSQL', () => {
      const url = new URL(environment(programs[0]![1]).DATABASE_URL!);

      it('is at the address of the programs, proven by its certificate', () => {
        expect(url.hostname).toBe(`${database.metadata.name}-rw`);
        expect(url.pathname).toBe(`/${database.spec.bootstrap.initdb.database}`);
        expect(url.searchParams.get('sslmode')).toBe('verify-full');
        const mounts = containersOf(programs[0]![1])[0].volumeMounts.map(
          ({ mountPath }: { mountPath: string }) => `${mountPath}/ca.crt`,
        );
        expect(mounts).toContain(url.searchParams.get('sslrootcert'));
      });

      it('has a role with rights for each program, and the owner only for the command line', () => {
        const roles: { name: string; login?: boolean; passwordSecret?: { name: string } }[] =
          database.spec.managed.roles;
        for (const [name, program] of programs) {
          const role = roles.find((each) => each.name === environment(program).PGUSER);
          expect(role).toEqual({
            name: `posture_${name}`,
            login: true,
            inRoles: ['posture_reader'],
            passwordSecret: { name: roleSecretOf(program) },
          });
        }
        expect(roles.filter(({ login }) => login)).toHaveLength(programs.length);
        const owner = `${database.metadata.name}-app`;
        for (const [, job] of jobs) {
          expect([secretOf(job, 'PGUSER'), secretOf(job, 'PGPASSWORD')]).toEqual([owner, owner]);
        }
        // The user who runs the file there may create no role, nor put one into another.
        const file = readFileSync(join(CONTEXT, 'deploy/postgres/roles.sql'), 'utf8');
        const [, listed] = /foreach role in array array\[([^\]]+)\]/.exec(file)!;
        const names = [...listed!.matchAll(/'(\w+)'/g)].map(([, name]) => name!);
        expect(roles.map(({ name }) => name).sort()).toEqual([...names].sort());
        expect(roles[0]).toEqual({ name: 'posture_reader' });
        for (const role of roles.slice(1)) expect(role).toMatchObject({ inRoles: ['posture_reader'] });
      });

      it('keeps less of its log for a machine that is away than its volume has room for', () => {
        const { max_slot_wal_keep_size: kept, max_wal_size: own } = database.spec.postgresql.parameters;
        const gigabytes = (size: string) => Number(/^(\d+)Gi?B?$/.exec(size)?.[1]);
        expect(gigabytes(kept) + gigabytes(own)).toBeLessThan(gigabytes(database.spec.walStorage.size));
      });

      it('has a second machine, and connections for as many programs as there may be', () => {
        expect(database.spec.instances).toBeGreaterThan(1);
        // Acknowledged data outside the log, such as a credential, survives a failover.
        expect(database.spec.postgresql.synchronous).toEqual({
          method: 'any',
          number: 1,
          dataDurability: 'preferred',
        });
        const pods = programs.reduce((sum, [, program]) => sum + podsAtMost(program), 0);
        expect(Number(database.spec.postgresql.parameters.max_connections)).toBeGreaterThanOrEqual(
          pods * CONNECTIONS_OF_PROGRAM + CONNECTIONS_OF_OTHERS,
        );
      });
    });

    it('keeps the proxy from private addresses twice: by its own rules and by the network', () => {
      const { data } = manifests.find(
        ({ kind, data: found }) => kind === 'ConfigMap' && found['squid.conf'],
      )!;
      const denied = [...data['squid.conf'].matchAll(/^acl private dst (.+)$/gm)].flatMap(([, nets]) =>
        nets.split(' '),
      );
      const [{ to }] = named(manifests, 'NetworkPolicy', 'egress-proxy').spec.egress;
      const except = to.flatMap(({ ipBlock }: { ipBlock: { except: string[] } }) => ipBlock.except);
      expect(denied.sort()).toEqual(except.sort());
    });
  });

  it('has a component with which all programs read archived records, and the command line archives', () => {
    const manifests = parseManifests(buildWith('small', 'archive'));
    const readers = ofKind(manifests, 'Deployment', 'CronJob').filter(
      ({ metadata }) => metadata.name !== 'egress',
    );
    expect(readers.length).toBeGreaterThan(4);
    for (const reader of readers) {
      const { LOG_ARCHIVE } = settingsOf(manifests, reader);
      const mount = containersOf(reader)[0].volumeMounts.find(
        ({ mountPath }: { mountPath: string }) => mountPath === LOG_ARCHIVE,
      );
      expect(mount).toMatchObject({ name: 'archive', readOnly: reader.metadata.name !== 'command-line' });
      expect(podOf(reader).volumes).toContainEqual({
        name: 'archive',
        persistentVolumeClaim: { claimName: 'archive' },
      });
    }
    const claim = named(manifests, 'PersistentVolumeClaim', 'archive');
    expect(claim).toMatchObject({
      metadata: { namespace: 'posture' },
      spec: { accessModes: ['ReadWriteMany'] },
    });
  });

  it('has a component with which programs take signals from the inbox', () => {
    const manifests = parseManifests(buildWith('small', 'inbox'));
    for (const name of ['gateway', 'projector', 'scorer', 'collector']) {
      const settings = settingsOf(manifests, named(manifests, 'Deployment', name));
      expect(settings).toMatchObject({ KAFKA_INBOX: 'true', LOG_PARTITIONS: '12' });
    }
    const { metadata, spec } = named(manifests, 'KafkaUser', 'signals-producer');
    expect(metadata.labels).not.toHaveProperty('posture/reads');
    expect(spec.authorization.acls).toEqual([
      { resource: { type: 'topic', name: 'posture.signals' }, operations: ['Describe', 'Write'] },
    ]);
  });

  it('has a component that gives the proxy one address if Cilium is the network', () => {
    const folder = join(CONTEXT, 'deploy/kubernetes/components/cilium-egress');
    const [policy] = parseManifests(readFileSync(join(folder, 'egress-address.yaml'), 'utf8'));
    expect(problemsOf(policy!)).toEqual([]);
    const { 'io.kubernetes.pod.namespace': namespace, ...labels } =
      policy!.spec.selectors[0].podSelector.matchLabels;
    const egress = named(parseManifests(buildText('small')), 'Deployment', 'egress');
    expect(namespace).toBe(egress.metadata.namespace);
    expect(egress.spec.template.metadata.labels).toMatchObject(labels);
    expect(policy!.spec.egressGateway.nodeSelector.matchLabels).toEqual({ 'posture/egress': 'true' });
  });
});
