import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { fileVariableOf, readConfig, SECRET_VARIABLES } from '#libs/config';
import { STOP_MS_MAX } from '../../apps/gateway/src/http/http-limits.ts';
import { CONTEXT } from './build-context.ts';
import { programsOf, readCompose, type Service } from './compose-file.ts';
import { lastOf, readDockerfile } from './dockerfile.ts';
import { GATEWAY_MB_MIN } from './gateway-memory.ts';
import { brokerSettings } from './kafka-service.ts';
import { PINNED_IMAGE } from './pinned-image.ts';

const compose = readCompose();
const services = Object.entries(compose.services);
const programs = programsOf(compose);
const { kafka, postgres, gateway } = compose.services as Record<string, Service & { environment: object }>;
const image = readDockerfile().at(-1)!;

/** The Compose Specification's own schema, which dclint carries. */
const specification = JSON.parse(
  readFileSync(
    createRequire(import.meta.url)
      .resolve('dclint/package.json')
      .replace('package.json', 'schemas/compose.schema.json'),
    'utf8',
  ),
);

const problemsOf = (document: unknown): unknown[] => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const check = ajv.compile({ ...specification, $schema: undefined });
  return check(document) ? [] : (check.errors ?? []);
};

describe('docker-compose.yml', () => {
  it('is a Compose file', () => {
    const text = readFileSync(join(CONTEXT, 'docker-compose.yml'), 'utf8');
    const asWritten = parse(text, { merge: true });
    expect(problemsOf(asWritten)).toEqual([]);
    expect(problemsOf(compose)).toEqual([]);
    const misspelt = parse(text.replaceAll('read_only:', 'readonly:'), { merge: true });
    expect(problemsOf(misspelt)).not.toEqual([]);
  });

  it('needs no variable: one command starts it', () => {
    expect(() => readCompose({})).not.toThrow();
  });

  it.each(services)('%s: checked, bounded, restarted, and given no more than it needs', (_, service) => {
    expect(service.healthcheck!.test[0]).toBe('CMD');
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toContain('no-new-privileges:true');
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.restart).toBe('unless-stopped');
    expect(service.stop_grace_period).toMatch(/^\d+s$/);
    expect(Number.parseInt(service.stop_grace_period!, 10)).toBeGreaterThan(STOP_MS_MAX / 1_000);
  });

  it.each(services)('%s: can be reached only from this machine, if at all', (_, { ports = [] }) => {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  it.each(services)(
    '%s: its volumes are declared, its image has a digest',
    (_, { volumes = [], image: from }) => {
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
      if (from) expect(from).toMatch(PINNED_IMAGE);
    },
  );
});

describe('the programs of docker-compose.yml', () => {
  it('are all that run apart', () => {
    const apps = readdirSync(join(CONTEXT, 'apps')).filter((app) =>
      existsSync(join(CONTEXT, 'apps', app, 'src/main.ts')),
    );
    const apart = apps.filter((app) => !['cli', 'standalone', 'simulators'].includes(app));
    expect(programs.map(([name]) => name).sort()).toEqual(apart.sort());
  });

  it.each(programs)('%s: is not root, on a file system that it cannot write to', (name, service) => {
    expect(service).toMatchObject({
      build: '.',
      user: '1000:1000',
      read_only: true,
      tmpfs: ['/tmp:size=320m'],
      init: true,
    });
    expect(service.user).toBe(lastOf(image, 'USER')!.args[0]);
    expect(service.command).toEqual([`dist/programs/${name}.js`]);
  });

  it('give the gateway memory for what its workers may use, beside its temporary files', () => {
    const [, gigabytes] = /^(\d+)g$/.exec(gateway!.mem_limit!)!;
    const [, temporaryMb] = /size=(\d+)m$/.exec(gateway!.tmpfs![0]!)!;
    expect(Number(gigabytes) * 1_024 - Number(temporaryMb)).toBeGreaterThanOrEqual(GATEWAY_MB_MIN);
  });

  it.each(programs)('%s: has the check of the image', (_, { healthcheck }) => {
    const { flags, args } = lastOf(image, 'HEALTHCHECK')!;
    expect(healthcheck!.test.slice(1)).toEqual(args);
    expect(flags).toEqual({
      interval: healthcheck!.interval,
      timeout: healthcheck!.timeout,
      'start-period': healthcheck!.start_period,
      retries: `${healthcheck!.retries}`,
    });
  });

  it.each(programs)('%s: starts when its dependencies are healthy', (_, { depends_on }) => {
    expect(depends_on).toEqual({
      kafka: { condition: 'service_healthy' },
      postgres: { condition: 'service_healthy' },
    });
  });

  it.each(programs)(
    '%s: is configured by variables that it knows, to values that it takes',
    (_, { environment }) => {
      expect(() => readConfig(environment!)).not.toThrow();
      // No variable may hold this; one that is not known is not looked at.
      for (const name of Object.keys(environment!)) {
        if (name === 'OTEL_EXPORTER_OTLP_ENDPOINT') continue; // OpenTelemetry's own: libs/telemetry looks at it.
        // Those of a KMS are read if there is a key.
        expect(() =>
          readConfig({ VAULT_TRANSIT_KEY: 'posture', AWS_KMS_KEY: 'posture', [name]: '\0' }),
        ).toThrow(`${name} must be`);
      }
    },
  );

  it.each(programs)('%s: has the addresses of PostgreSQL and Kafka', (_, { environment }) => {
    const config = readConfig(environment!);
    const { username, password, hostname, port, pathname } = new URL(config.databaseUrl!);
    expect({ username, password, hostname, port, pathname }).toEqual({
      username: postgres!.environment!.POSTGRES_USER,
      password: postgres!.environment!.POSTGRES_PASSWORD,
      hostname: 'postgres',
      port: '5432',
      pathname: `/${postgres!.environment!.POSTGRES_DB}`,
    });
    expect(kafka!.environment!.KAFKA_ADVERTISED_LISTENERS!.split(',')).toContain(
      `INTERNAL://${config.kafkaBrokers}`,
    );
  });

  it('keep generated files of the gateway in a volume, and listen on the published port', () => {
    const env = Object.fromEntries(lastOf(image, 'ENV')!.args.map((text) => text.split('=')));
    expect(gateway!.volumes).toContain(`keys:${env.DATA_DIR}`);
    expect(gateway!.ports![0]!.split(':')[2]).toBe(env.PORT);
  });

  it('take secrets and ports from the environment', () => {
    const { services: changed } = readCompose({
      POSTURE_DATABASE_PASSWORD: 'another',
      POSTURE_ADMIN_PASSWORD: 'a-password-for-tests',
      POSTURE_SECRET_KEY: 'k'.repeat(32),
      PORT: '18080',
      KAFKA_PORT: '19094',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    });
    for (const [name] of programs)
      expect(changed[name]!.environment!.OTEL_EXPORTER_OTLP_ENDPOINT).toBe('http://collector:4318');
    expect(changed.postgres!.environment!.POSTGRES_PASSWORD).toBe('another');
    expect(changed.scorer!.environment!.DATABASE_URL).toContain(':another@');
    expect(readConfig(changed.gateway!.environment!)).toMatchObject({
      adminPassword: 'a-password-for-tests',
      secretKey: 'k'.repeat(32),
    });
    expect(changed.gateway!.ports).toEqual(['127.0.0.1:18080:8080']);
    expect(changed.kafka!.ports).toEqual(['127.0.0.1:19094:9094']);
    expect(changed.kafka!.environment!.KAFKA_ADVERTISED_LISTENERS).toContain('HOST://127.0.0.1:19094');
  });
});

describe('the variables of docker-compose.yml', () => {
  const page = readFileSync(join(CONTEXT, 'docs/operating.md'), 'utf8');
  /** The names in the first column of a table. */
  const namedIn = (heading: string): string[] => {
    const [, section] = page.split(`\n## ${heading}\n`);
    const rows = section!.split('\n## ')[0]!.matchAll(/^\| (`[A-Z].*?) \|/gm);
    return [...rows].flatMap(([, cell]) => [...cell!.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!));
  };
  const handedOn = (name: string) => programs.filter(([, { environment }]) => name in environment!);

  it('are the variables that the page lists', () => {
    const text = readFileSync(join(CONTEXT, 'docker-compose.yml'), 'utf8');
    const taken = new Set([...text.matchAll(/\$\{(\w+):-/g)].map(([, name]) => name!));
    expect([...taken].sort()).toEqual(namedIn('Containers').sort());
  });

  it('are all variables of a program that the image, the database and the Kafka of the file do not set', () => {
    // DATABASE_URL is set, with a password, so no program starts an embedded PostgreSQL.
    const settled = [
      ...lastOf(image, 'ENV')!.args.map((text) => text.split('=')[0]!),
      'POSTGRES_BIN',
      'DATABASE_PASSWORD',
      // Whose files an override of the file mounts.
      ...SECRET_VARIABLES.map(fileVariableOf),
    ];
    const ofOtherBrokers = (name: string) => /^KAFKA_(SSL|CA_FILE|SASL_\w+|REPLICATION)$/.test(name);
    const lacking = namedIn('Separate programs').filter(
      (name) => handedOn(name).length === 0 && !settled.includes(name) && !ofOtherBrokers(name),
    );
    expect(lacking).toEqual([]);
  });

  it('reach whom they are for', () => {
    for (const name of ['LOG_ARCHIVE', 'METRICS_TOKEN', 'LOG_PARTITIONS', 'SCHEMA_REGISTRY_URL']) {
      expect(handedOn(name)).toEqual(programs);
    }
    const ofKeys = [
      'POSTURE_SECRET_KEY',
      'POSTURE_PREVIOUS_SECRET_KEY',
      'SEAL_PERSONAL_TEXTS',
      'SEAL_MACHINES',
      'EGRESS_PROXY',
    ];
    const ofVault = ['ADDR', 'TOKEN', 'TRANSIT_KEY', 'TRANSIT_MOUNT', 'NAMESPACE'].map(
      (name) => `VAULT_${name}`,
    );
    const ofAws = ['AWS_KMS_KEY', 'AWS_REGION', 'AWS_ENDPOINT_URL_KMS'];
    for (const name of [...ofKeys, ...ofVault, ...ofAws]) {
      expect(handedOn(name).map(([program]) => program)).toEqual(['gateway', 'collector']);
    }
  });

  it('name the volume of the archive, which only the gateway’s container may write', () => {
    for (const [name, { environment, volumes }] of programs) {
      const mode = name === 'gateway' ? '' : ':ro';
      expect(volumes).toContain(`archive:${environment!.LOG_ARCHIVE}${mode}`);
    }
    const { args } = image.instructions.find(({ keyword }) => keyword === 'RUN')!;
    expect(args).toContain(gateway!.environment!.LOG_ARCHIVE);
  });
});

it('docker-compose.yml keeps backups in a volume of the gateway that the user of the image can write to', () => {
  const { args } = image.instructions.find(({ keyword }) => keyword === 'RUN')!;
  expect(args).toContain('/backup');
  const withBackups = services.filter(([, { volumes = [] }]) => volumes.includes('backup:/backup'));
  expect(withBackups.map(([name]) => name)).toEqual(['gateway']);
});

describe('Kafka of docker-compose.yml', () => {
  it('is the version that the tests run', () => {
    const pom = readFileSync(join(CONTEXT, 'deploy/kafka/pom.xml'), 'utf8');
    const version = /<artifactId>kafka_[\d.]+<\/artifactId>\s*<version>([\d.]+)</.exec(pom)![1];
    expect(kafka!.image).toContain(`apache/kafka:${version}@`);
  });

  it('has one replica of its internal topics on its one node, and creates no topic of the product by accident', () => {
    expect(brokerSettings(kafka!.environment!)).toMatchObject({
      'process.roles': 'broker,controller',
      'auto.create.topics.enable': 'false',
      'offsets.topic.replication.factor': '1',
      'transaction.state.log.replication.factor': '1',
      'transaction.state.log.min.isr': '1',
      'share.coordinator.state.topic.replication.factor': '1',
      'share.coordinator.state.topic.min.isr': '1',
    });
  });

  it('keeps its log in the volume', () => {
    expect(kafka!.volumes).toEqual([`log:${kafka!.environment!.KAFKA_LOG_DIRS}`]);
  });

  it('checks itself on the port of the programs', () => {
    expect(kafka!.healthcheck!.test.at(-1)).toContain('/127.0.0.1/9092');
    expect(kafka!.environment!.KAFKA_LISTENERS).toContain('INTERNAL://0.0.0.0:9092');
  });
});
