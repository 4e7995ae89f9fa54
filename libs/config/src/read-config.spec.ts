import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config-error.ts';
import { readConfig } from './read-config.ts';

const problemOf = (env: NodeJS.ProcessEnv): string => {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return 'none';
};

const PROVIDERS = JSON.stringify([
  {
    id: 'corp',
    label: 'Corp',
    issuer: 'https://id',
    clientId: 'x',
    clientSecret: 'y',
    grants: { a: ['admin'] },
  },
]);

const POSTGRES_URL =
  'a URL that starts with postgres:// or postgresql://, with special characters of the password encoded, such as %2F for /';

describe('readConfig (R-CFG-4)', () => {
  it('needs nothing: unset means embedded', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      dataDir: resolve('.data'),
      logArchive: resolve('.data/archive'),
      logPartitions: 12,
      kafkaSsl: false,
      kafkaInbox: false,
      vaultTransitMount: 'transit',
      secondFactorGraceDays: 7,
      localSignIn: 'on',
      sessionIdleMinutes: 60,
      sessionHours: 12,
      securityEventsDays: 90,
      sealPersonalTexts: false,
      logLevel: 'info',
    });
  });

  it('reads every variable', () => {
    const config = readConfig({
      PORT: '0',
      HOST: '::1',
      DATA_DIR: '/srv/posture',
      LOG_ARCHIVE: '/mnt/segments',
      DATABASE_URL: 'postgres://posture@db/posture',
      POSTGRES_BIN: '/usr/lib/postgresql/18/bin',
      LOG_PARTITIONS: '48',
      POSTURE_ADMIN_USERNAME: 'ana@acme.com',
      POSTURE_ADMIN_PASSWORD: 'correct horse battery',
      POSTURE_SECRET_KEY: 'k'.repeat(32),
      KAFKA_BROKERS: 'kafka-1:9092,kafka-2:9092',
      KAFKA_SSL: 'true',
      KAFKA_CA_FILE: '/etc/posture/log/ca.crt',
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: 'posture',
      KAFKA_SASL_PASSWORD: 'secret of kafka',
      KAFKA_REPLICATION: '3',
      KAFKA_INBOX: 'true',
      SCHEMA_REGISTRY_URL: 'https://posture:secret%20of%20it@registry:8081/apis/ccompat/v7',
      EGRESS_PROXY: 'http://posture:secret%20of%20it@proxy:3128',
      EGRESS_PUBLISHED_IP: '203.0.113.7',
      METRICS_TOKEN: 'm'.repeat(16),
      PUBLIC_URL: 'https://risk.example.com/',
      OIDC_PROVIDERS: PROVIDERS,
      SECOND_FACTOR_ROLES: 'admin, triage',
      SECOND_FACTOR_GRACE_DAYS: '0',
      LOCAL_SIGN_IN: 'off',
      SESSION_IDLE_MINUTES: '30',
      SESSION_HOURS: '8',
      SECURITY_EVENTS_DAYS: '30',
      SEAL_PERSONAL_TEXTS: 'true',
      SEAL_MACHINES: '*-laptop, phone-*',
      ERASURE_LIST: 'erasures.txt',
      VAULT_TRANSIT_KEY: 'posture',
      VAULT_TRANSIT_MOUNT: 'kms/transit',
      VAULT_ADDR: 'https://vault.example:8200',
      VAULT_TOKEN: 'hvs.token',
      VAULT_NAMESPACE: 'team',
      AWS_KMS_KEY: 'alias/posture',
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL_KMS: 'https://kms.example',
      LOG_LEVEL: 'debug',
    });
    expect(config).toEqual({
      port: 0,
      host: '::1',
      dataDir: '/srv/posture',
      logArchive: '/mnt/segments',
      databaseUrl: 'postgres://posture@db/posture',
      postgresBin: '/usr/lib/postgresql/18/bin',
      logPartitions: 48,
      adminUsername: 'ana@acme.com',
      adminPassword: 'correct horse battery',
      secretKey: 'k'.repeat(32),
      kafkaBrokers: 'kafka-1:9092,kafka-2:9092',
      kafkaSsl: true,
      kafkaCaFile: '/etc/posture/log/ca.crt',
      kafkaSaslMechanism: 'scram-sha-512',
      kafkaSaslUsername: 'posture',
      kafkaSaslPassword: 'secret of kafka',
      kafkaReplication: 3,
      kafkaInbox: true,
      schemaRegistryUrl: 'https://posture:secret%20of%20it@registry:8081/apis/ccompat/v7',
      egressProxy: 'http://posture:secret%20of%20it@proxy:3128',
      egressPublishedIp: '203.0.113.7',
      metricsToken: 'm'.repeat(16),
      vaultTransitMount: 'kms/transit',
      vaultTransitKey: 'posture',
      vaultAddress: 'https://vault.example:8200',
      vaultToken: 'hvs.token',
      vaultNamespace: 'team',
      awsKmsKey: 'alias/posture',
      awsRegion: 'eu-central-1',
      awsKmsEndpoint: 'https://kms.example',
      publicUrl: 'https://risk.example.com',
      oidcProviders: PROVIDERS,
      secondFactorRoles: 'admin, triage',
      secondFactorGraceDays: 0,
      localSignIn: 'off',
      sessionIdleMinutes: 30,
      sessionHours: 8,
      securityEventsDays: 30,
      sealPersonalTexts: true,
      sealMachines: '*-laptop, phone-*',
      erasureList: resolve('erasures.txt'),
      logLevel: 'debug',
    });
  });

  it('takes an empty variable as unset', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', KAFKA_BROKERS: '' })).toMatchObject({ port: 8080 });
  });

  it.each([
    [{ PORT: 'http' }, 'PORT must be an integer from 0 to 65535 (got "http")'],
    [{ PORT: '65536' }, 'PORT must be an integer from 0 to 65535 (got "65536")'],
    [{ LOG_PARTITIONS: '0' }, 'LOG_PARTITIONS must be an integer from 1 to 512 (got "0")'],
    [{ LOG_PARTITIONS: '1.5' }, 'LOG_PARTITIONS must be an integer from 1 to 512 (got "1.5")'],
    [{ HOST: 'a b' }, 'HOST must be a host name or an IP address (got "a b")'],
    [
      { LOG_LEVEL: 'loud' },
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent (got "loud")',
    ],
    [
      { POSTURE_ADMIN_USERNAME: 'a:b' },
      'POSTURE_ADMIN_USERNAME must be 1 to 128 characters without a colon (got "a:b")',
    ],
    [
      { KAFKA_BROKERS: 'localhost' },
      'KAFKA_BROKERS must be host:port or a comma-separated list of these (got "localhost")',
    ],
    [{ SECURITY_EVENTS_DAYS: '0' }, 'SECURITY_EVENTS_DAYS must be an integer from 1 to 3650 (got "0")'],
    [{ KAFKA_INBOX: 'yes' }, 'KAFKA_INBOX must be true or false (got "yes")'],
    [
      { KAFKA_INBOX: 'true' },
      'KAFKA_BROKERS must be set if KAFKA_INBOX is true: the inbox is a topic of Kafka',
    ],
    [
      { KAFKA_BROKERS: 'kafka1:9092', KAFKA_CA_FILE: '/etc/ca.pem' },
      'KAFKA_SSL must be true if KAFKA_CA_FILE is set',
    ],
    [
      { POSTURE_PREVIOUS_SECRET_KEY: 'k'.repeat(32) },
      'POSTURE_SECRET_KEY must be set if POSTURE_PREVIOUS_SECRET_KEY is set: if the key is the file secret-key, write the previous one on its second line',
    ],
    [{ SEAL_MACHINES: '*' }, 'SEAL_PERSONAL_TEXTS must be true if SEAL_MACHINES is set'],
    [
      { SEAL_PERSONAL_TEXTS: 'true', SEAL_MACHINES: 'a b' },
      'SEAL_MACHINES must be a comma-separated list of at most 100 names such as *-laptop (got "a b")',
    ],
    [
      { SEAL_PERSONAL_TEXTS: 'true', SEAL_MACHINES: '*-laptop, *.Laptops.example.com' },
      'SEAL_MACHINES: *.Laptops.example.com has a domain and would seal no host: name hosts without their domain',
    ],
    [
      { SEAL_PERSONAL_TEXTS: 'true', SEAL_MACHINES: 'ana-laptop.corp,phone-*' },
      'SEAL_MACHINES: ana-laptop.corp has a domain and would seal no host: name hosts without their domain',
    ],
    [{ KAFKA_SSL: 'yes' }, 'KAFKA_SSL must be true or false (got "yes")'],
    [
      { EGRESS_PUBLISHED_IP: '203.0.113.0/24' },
      'EGRESS_PUBLISHED_IP must be an IP address (got "203.0.113.0/24")',
    ],
    [
      { TRUSTED_PROXIES: '10.0.0.0/8, proxy' },
      'TRUSTED_PROXIES must be a comma-separated list of addresses or networks such as 10.0.0.0/8 (got "10.0.0.0/8, proxy")',
    ],
    [
      { CORS_ORIGINS: '*' },
      'CORS_ORIGINS must be a comma-separated list of origins such as https://page.example.com (got "*")',
    ],
    [{ KAFKA_REPLICATION: '0' }, 'KAFKA_REPLICATION must be an integer from 1 to 9 (got "0")'],
    [
      { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'posture' },
      'KAFKA_SASL_PASSWORD must be set if KAFKA_SASL_MECHANISM is set',
    ],
    [
      { KAFKA_SASL_USERNAME: 'posture' },
      'KAFKA_SASL_MECHANISM must be set if KAFKA_SASL_USERNAME or KAFKA_SASL_PASSWORD is set',
    ],
    [
      { KAFKA_SASL_PASSWORD: 'secret of kafka' },
      'KAFKA_SASL_MECHANISM must be set if KAFKA_SASL_USERNAME or KAFKA_SASL_PASSWORD is set',
    ],
  ])('says which variable is bad and why: %j', (env, message) => {
    expect(problemOf(env)).toBe(message);
  });

  it.each([
    '*',
    '10.1.*',
    '192.168.7.20',
    '2001:db8::*',
    '::ffff:10.1.*',
    'https://app.example.com/*',
    'arn:aws:*',
  ])('machines without a host name can be sealed: %s', (sealMachines) => {
    const env = { SEAL_PERSONAL_TEXTS: 'true', SEAL_MACHINES: sealMachines };
    expect(readConfig(env)).toMatchObject({ sealMachines });
  });

  it('names every invalid variable in one error', () => {
    expect(problemOf({ PORT: '-1', LOG_LEVEL: 'x' })).toMatch(/^PORT .*; LOG_LEVEL /);
  });

  it.each([
    'postgres:///db',
    'postgres://u@/db?host=/run/postgresql',
    'postgresql://u:p%2Fw@h:5432/db?sslmode=verify-full&sslrootcert=/missing/ca.pem',
  ])('accepts %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['POSTURE_ADMIN_PASSWORD', 'hunter2', '12 to 256 characters'],
    ['POSTURE_SECRET_KEY', 'short-key', '32 to 512 characters without white space'],
    ['METRICS_TOKEN', 'hunter2', '16 to 512 characters without white space'],
    ['DATABASE_URL', 'mysql://root:hunter2@db', POSTGRES_URL],
    ['DATABASE_URL', 'postgres://u:hunter2/w@h/db', POSTGRES_URL],
    ['DATABASE_URL', 'postgres://u:hunter2#w@h/db', POSTGRES_URL],
    ['DATABASE_URL', 'postgres://u:hunter2?w@h/db', POSTGRES_URL],
    ['DATABASE_URL', 'postgres://u:hunter2@h:99999/db', POSTGRES_URL],
    ['SCHEMA_REGISTRY_URL', 'ftp://ana:hunter2@registry', 'a URL that starts with http:// or https://'],
    ['SCHEMA_REGISTRY_URL', 'http://ana:hunter2%zz@registry', 'a URL that starts with http:// or https://'],
    ['SCHEMA_REGISTRY_URL', 'http://registry/?key=hunter2', 'a URL that starts with http:// or https://'],
    ['EGRESS_PROXY', 'socks5://ana:hunter2@proxy', 'a URL that starts with http:// or https://'],
    [
      'EGRESS_PROXY',
      'http://ana:hunter2@proxy:3128/path',
      'a proxy such as http://proxy:3128, without a path',
    ],
    ['SCHEMA_REGISTRY_URL', 'http://[hunter2', 'a URL that starts with http:// or https://'],
  ])('does not repeat the value of %s', (variable, value, expected) => {
    expect(problemOf({ [variable]: value })).toBe(`${variable} must be ${expected}`);
  });
});
