import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError } from './config-error.ts';
import { readConfig } from './read-config.ts';

const KEY = 'of-a-test-'.repeat(4);

let folder: string;
const fileOf = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const problemOf = (env: NodeJS.ProcessEnv): string => {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return 'none';
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('secrets from files (R-CFG-7)', () => {
  it.each([
    ['POSTURE_ADMIN_PASSWORD', 'adminPassword', 'correct horse battery'],
    ['POSTURE_SECRET_KEY', 'secretKey', KEY],
    ['DATABASE_URL', 'databaseUrl', 'postgres://ana:secret@db/posture'],
    ['SCHEMA_REGISTRY_URL', 'schemaRegistryUrl', 'https://ana:secret@registry'],
    ['EGRESS_PROXY', 'egressProxy', 'http://ana:secret@proxy:3128'],
    ['METRICS_TOKEN', 'metricsToken', 'm'.repeat(16)],
  ])('%s_FILE names the file of the value', (variable, property, value) => {
    expect(readConfig({ [`${variable}_FILE`]: fileOf(variable, `${value}\n`) })).toMatchObject({
      [property]: value,
    });
  });

  it('reads the present and the previous secret key', () => {
    expect(
      readConfig({
        POSTURE_SECRET_KEY_FILE: fileOf('present', 'n'.repeat(32)),
        POSTURE_PREVIOUS_SECRET_KEY_FILE: fileOf('previous', KEY),
      }),
    ).toMatchObject({ secretKey: 'n'.repeat(32), previousSecretKey: KEY });
  });

  it('reads user name and password of Kafka', () => {
    expect(
      readConfig({
        KAFKA_SASL_MECHANISM: 'plain',
        KAFKA_SASL_USERNAME_FILE: fileOf('user', 'posture\r\n'),
        KAFKA_SASL_PASSWORD_FILE: fileOf('password', ' two words \n\n'),
      }),
    ).toMatchObject({ kafkaSaslUsername: 'posture', kafkaSaslPassword: ' two words \n' });
  });

  it('takes an empty variable as unset', () => {
    const path = fileOf('key', KEY);
    expect(readConfig({ POSTURE_SECRET_KEY: '', POSTURE_SECRET_KEY_FILE: path }).secretKey).toBe(KEY);
    expect(readConfig({ POSTURE_SECRET_KEY: KEY, POSTURE_SECRET_KEY_FILE: '' }).secretKey).toBe(KEY);
  });

  it('refuses a value and a file of the same secret', () => {
    expect(problemOf({ METRICS_TOKEN: KEY, METRICS_TOKEN_FILE: fileOf('token', KEY) })).toBe(
      'set METRICS_TOKEN or METRICS_TOKEN_FILE, not both',
    );
  });

  it.each([
    ['it cannot be read: ENOENT', () => join(folder, 'missing')],
    ['it is not a file', () => folder],
    ['it is empty', () => fileOf('empty', '\n')],
    ['it has more than 16384 bytes', () => fileOf('large', 'hunter2'.repeat(3_000))],
    ['it cannot be read: ERR_INVALID_ARG_VALUE', () => '\0'],
  ])('names the variable if its file cannot be used: %s', (problem, path) => {
    const given = path();
    expect(problemOf({ POSTURE_SECRET_KEY_FILE: given })).toBe(
      `POSTURE_SECRET_KEY_FILE must be the path of a file with the value of POSTURE_SECRET_KEY (${JSON.stringify(given)}: ${problem})`,
    );
  });

  it('names every problem, and never a content', () => {
    expect(
      problemOf({
        PORT: '-1',
        METRICS_TOKEN_FILE: join(folder, 'missing'),
        POSTURE_SECRET_KEY_FILE: fileOf('short', 'hunter2'),
      }),
    ).toBe(
      `METRICS_TOKEN_FILE must be the path of a file with the value of METRICS_TOKEN ("${join(folder, 'missing')}": it cannot be read: ENOENT); ` +
        'PORT must be an integer from 0 to 65535 (got "-1"); ' +
        'the content of POSTURE_SECRET_KEY_FILE must be 32 to 512 characters without white space',
    );
  });

  it('knows no file of a setting that is not secret', () => {
    expect(readConfig({ PORT_FILE: join(folder, 'missing') }).port).toBe(8080);
  });
});

describe('the password of the database', () => {
  const URL_ = 'postgres://ana@db/posture?sslmode=require';

  it('is added to the URL, whatever its characters', () => {
    const { databaseUrl } = readConfig({ DATABASE_URL: URL_, DATABASE_PASSWORD: 'a&b=c/ü?' });
    expect(new URL(databaseUrl!).searchParams.get('password')).toBe('a&b=c/ü?');
  });

  it('as a file: the URL contains its path, so that every connection reads it', () => {
    const path = fileOf('pass word', 'hunter2');
    const { databaseUrl } = readConfig({
      DATABASE_URL: 'postgres://ana@db/posture',
      DATABASE_PASSWORD_FILE: path,
    });
    expect(new URL(databaseUrl!).searchParams.get('passwordFile')).toBe(path);
    expect(databaseUrl).not.toContain('hunter2');
  });

  it('is added to the URL of the replica too, unless that has its own', () => {
    const password = (readUrl: string) =>
      readConfig({ DATABASE_URL: URL_, DATABASE_READ_URL: readUrl, DATABASE_PASSWORD: 'hunter2' })
        .databaseReadUrl;
    expect(password('postgres://ana@ro/posture')).toBe('postgres://ana@ro/posture?password=hunter2');
    expect(password('postgres://eve:own@ro/posture')).toBe('postgres://eve:own@ro/posture');
  });

  it.each(['postgres://ana:hunter2@db/posture', 'postgres://ana@db/posture?password=hunter2'])(
    'is refused beside one in the URL: %s',
    (url) => {
      expect(problemOf({ DATABASE_URL: url, DATABASE_PASSWORD: 'another' })).toBe(
        'DATABASE_URL must not contain a password if DATABASE_PASSWORD is set',
      );
    },
  );

  it('is refused without a URL, as a replica is', () => {
    expect(problemOf({ DATABASE_READ_URL: URL_ })).toBe(
      'DATABASE_URL must be set if DATABASE_READ_URL is set',
    );
    expect(problemOf({ DATABASE_PASSWORD: 'hunter2' })).toBe(
      'DATABASE_URL must be set if DATABASE_PASSWORD is set',
    );
  });
});
