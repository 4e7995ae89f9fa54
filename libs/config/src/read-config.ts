import { join, resolve } from 'node:path';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { configProblems } from './config-problems.ts';
import { withPassword } from './database-password.ts';
import { fileVariableOf, secretOf } from './secret-file.ts';

/** Within `dataDir`. */
const ARCHIVE_FOLDER = 'archive';

const VARIABLES: Record<keyof Config, string> = {
  port: 'PORT',
  host: 'HOST',
  dataDir: 'DATA_DIR',
  logArchive: 'LOG_ARCHIVE',
  mapFolder: 'POSTURE_MAPS',
  databaseUrl: 'DATABASE_URL',
  databaseReadUrl: 'DATABASE_READ_URL',
  databasePassword: 'DATABASE_PASSWORD',
  postgresBin: 'POSTGRES_BIN',
  logPartitions: 'LOG_PARTITIONS',
  adminUsername: 'POSTURE_ADMIN_USERNAME',
  adminPassword: 'POSTURE_ADMIN_PASSWORD',
  secretKey: 'POSTURE_SECRET_KEY',
  previousSecretKey: 'POSTURE_PREVIOUS_SECRET_KEY',
  vaultTransitKey: 'VAULT_TRANSIT_KEY',
  vaultTransitMount: 'VAULT_TRANSIT_MOUNT',
  vaultAddress: 'VAULT_ADDR',
  vaultToken: 'VAULT_TOKEN',
  vaultNamespace: 'VAULT_NAMESPACE',
  awsKmsKey: 'AWS_KMS_KEY',
  awsRegion: 'AWS_REGION',
  awsKmsEndpoint: 'AWS_ENDPOINT_URL_KMS',
  kafkaBrokers: 'KAFKA_BROKERS',
  kafkaSsl: 'KAFKA_SSL',
  kafkaCaFile: 'KAFKA_CA_FILE',
  kafkaSaslMechanism: 'KAFKA_SASL_MECHANISM',
  kafkaSaslUsername: 'KAFKA_SASL_USERNAME',
  kafkaSaslPassword: 'KAFKA_SASL_PASSWORD',
  kafkaReplication: 'KAFKA_REPLICATION',
  kafkaInbox: 'KAFKA_INBOX',
  schemaRegistryUrl: 'SCHEMA_REGISTRY_URL',
  egressProxy: 'EGRESS_PROXY',
  egressPublishedIp: 'EGRESS_PUBLISHED_IP',
  trustedProxies: 'TRUSTED_PROXIES',
  corsOrigins: 'CORS_ORIGINS',
  metricsToken: 'METRICS_TOKEN',
  publicUrl: 'PUBLIC_URL',
  oidcProviders: 'OIDC_PROVIDERS',
  secondFactorRoles: 'SECOND_FACTOR_ROLES',
  secondFactorGraceDays: 'SECOND_FACTOR_GRACE_DAYS',
  localSignIn: 'LOCAL_SIGN_IN',
  sessionIdleMinutes: 'SESSION_IDLE_MINUTES',
  sessionHours: 'SESSION_HOURS',
  securityEventsDays: 'SECURITY_EVENTS_DAYS',
  sealPersonalTexts: 'SEAL_PERSONAL_TEXTS',
  sealMachines: 'SEAL_MACHINES',
  erasureList: 'ERASURE_LIST',
  logLevel: 'LOG_LEVEL',
};

/** Each can also be a file, which `_FILE` names. Their values are not repeated in messages; a URL may hold a password. */
const SECRET: ReadonlySet<keyof Config> = new Set<keyof Config>([
  'adminPassword',
  'secretKey',
  'previousSecretKey',
  'vaultToken',
  'databaseUrl',
  'databaseReadUrl',
  'databasePassword',
  'kafkaSaslUsername',
  'kafkaSaslPassword',
  'schemaRegistryUrl',
  'egressProxy',
  'metricsToken',
  'oidcProviders',
]);

/** The variables of secrets, each of which can be a file. */
export const SECRET_VARIABLES: readonly string[] = [...SECRET].map((property) => VARIABLES[property]);

/**
 * Reads the configuration; an empty variable counts as unset.
 * @throws ConfigError naming every invalid variable and the expected value
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const given = (Object.entries(VARIABLES) as [keyof Config, string][])
    .map(([property, variable]) => [property, givenValue(property, variable, env, problems)] as const)
    .filter(([, value]) => value !== undefined && value !== '');
  const config = plainToInstance(Config, Object.fromEntries(given), { exposeDefaultValues: true });
  problems.push(...validateSync(config).map((error) => sentence(error, env)), ...configProblems(config));
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
  config.dataDir = resolve(config.dataDir);
  config.logArchive = resolve(config.logArchive || join(config.dataDir, ARCHIVE_FOLDER));
  if (config.erasureList !== undefined) config.erasureList = resolve(config.erasureList);
  if (config.publicUrl !== undefined) config.publicUrl = config.publicUrl.replace(/\/$/, '');
  return withPassword(config, env[fileVariableOf(VARIABLES.databasePassword)]);
}

function givenValue(
  property: keyof Config,
  variable: string,
  env: NodeJS.ProcessEnv,
  problems: string[],
): string | undefined {
  if (!SECRET.has(property)) return env[variable];
  try {
    return secretOf(env, variable);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

function sentence({ property, constraints }: ValidationError, env: NodeJS.ProcessEnv): string {
  const variable = VARIABLES[property as keyof Config];
  const isSecret = SECRET.has(property as keyof Config);
  const subject =
    isSecret && env[fileVariableOf(variable)] ? `the content of ${fileVariableOf(variable)}` : variable;
  const found = isSecret ? '' : ` (got ${JSON.stringify(env[variable])})`;
  return `${subject} must be ${Object.values(constraints ?? {})[0]}${found}`;
}
