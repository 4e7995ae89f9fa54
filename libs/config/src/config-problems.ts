import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';
import { hasPassword } from './database-password.ts';
import { listOf } from './list-of.ts';
import { readOidcProviders } from './oidc-providers.ts';

/** What is wrong about settings that are right one by one. */
export const configProblems = (config: Config): string[] => [
  ...databaseProblems(config),
  ...keyProblems(config),
  ...providerProblems(config),
  ...saslProblems(config),
  ...tlsProblems(config),
  ...inboxProblems(config),
  ...sealingProblems(config),
];

function databaseProblems({ databaseUrl, databaseReadUrl, databasePassword }: Config): string[] {
  if (databaseUrl === undefined) {
    return [
      ...(databasePassword === undefined ? [] : ['DATABASE_URL must be set if DATABASE_PASSWORD is set']),
      ...(databaseReadUrl === undefined ? [] : ['DATABASE_URL must be set if DATABASE_READ_URL is set']),
    ];
  }
  return databasePassword !== undefined && hasPassword(databaseUrl)
    ? ['DATABASE_URL must not contain a password if DATABASE_PASSWORD is set']
    : [];
}

function saslProblems({ kafkaSaslMechanism, kafkaSaslUsername, kafkaSaslPassword }: Config): string[] {
  if (kafkaSaslMechanism !== undefined) return [];
  return kafkaSaslUsername === undefined && kafkaSaslPassword === undefined
    ? []
    : ['KAFKA_SASL_MECHANISM must be set if KAFKA_SASL_USERNAME or KAFKA_SASL_PASSWORD is set'];
}

/** The connection would not be encrypted. */
const tlsProblems = ({ kafkaCaFile, kafkaSsl }: Config): string[] =>
  kafkaCaFile !== undefined && kafkaSsl !== true ? ['KAFKA_SSL must be true if KAFKA_CA_FILE is set'] : [];

function inboxProblems({ kafkaInbox, kafkaBrokers }: Config): string[] {
  return kafkaInbox === true && kafkaBrokers === undefined
    ? ['KAFKA_BROKERS must be set if KAFKA_INBOX is true: the inbox is a topic of Kafka']
    : [];
}

function keyProblems({ secretKey, previousSecretKey }: Config): string[] {
  if (previousSecretKey === undefined || secretKey !== undefined) return [];
  return [
    'POSTURE_SECRET_KEY must be set if POSTURE_PREVIOUS_SECRET_KEY is set: if the key is the file secret-key, write the previous one on its second line',
  ];
}

function sealingProblems({ sealMachines, sealPersonalTexts }: Config): string[] {
  if (sealMachines === undefined) return [];
  const isOff = sealPersonalTexts !== true;
  return [
    ...(isOff ? ['SEAL_PERSONAL_TEXTS must be true if SEAL_MACHINES is set'] : []),
    ...listOf(sealMachines)
      .filter(hasDomain)
      .map(
        (pattern) =>
          `SEAL_MACHINES: ${pattern} has a domain and would seal no host: name hosts without their domain`,
      ),
  ];
}

/** A host is known by the first label of its name. Addresses have no letters, or a colon as URLs have. */
const hasDomain = (pattern: string): boolean =>
  /^[a-z0-9_*-]*\.[a-z0-9_*.-]*$/i.test(pattern) && /[a-z]/i.test(pattern);

function providerProblems({ oidcProviders, publicUrl }: Config): string[] {
  try {
    const providers = readOidcProviders(oidcProviders);
    return providers.length > 0 && publicUrl === undefined
      ? ['PUBLIC_URL must be set if OIDC_PROVIDERS is set']
      : [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}
