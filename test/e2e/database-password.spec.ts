import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '#libs/database';
import { type ApiClient, plainSignal } from '../support/api-client.ts';
import { StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { SERVER_URL_VARIABLE, withDatabase } from '../support/test-server.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const ROLE = 'test_rotated';
const NAME = 'test_rotated';

let server: Database;
let dataDir: string;
let service: StartedStandalone;
let client: ApiClient;

const url = (password = '') => {
  const address = new URL(withDatabase(process.env[SERVER_URL_VARIABLE]!, NAME));
  address.username = ROLE;
  address.password = password;
  return address.href;
};
const passwordFile = () => join(dataDir, 'password');
const setPassword = (password: string) => server.pool.query(`alter role ${ROLE} password '${password}'`);
const endConnections = () =>
  server.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and pid <> pg_backend_pid()',
    [ROLE],
  );

/** The whole service as a role of its own, on the server that all tests share. */
beforeAll(async () => {
  dataDir = await temporaryDataDir();
  server = openDatabase(process.env[SERVER_URL_VARIABLE]!, { max: 1 });
  await server.pool.query(`create role ${ROLE} login password 'the first'`);
  await server.pool.query(`create database ${NAME} owner ${ROLE}`);
  await writeFile(passwordFile(), 'the first\n');
  service = await StartedStandalone.start(dataDir, {
    DATABASE_URL: url(),
    DATABASE_PASSWORD_FILE: passwordFile(),
    LOG_PARTITIONS: '2',
  });
  client = await service.client();
}, 180_000);

afterAll(async () => {
  await service?.stop();
  await server.pool.query(`drop database if exists ${NAME} with (force)`);
  await server.pool.query(`drop role if exists ${ROLE}`);
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Whether queries reach the database. */
const answers = async () => (await client.request('GET', '/api/v3/findings?limit=1')).status === 200;

/** Uploads when the service takes it, and waits for its fold: log, projector and queries have connections again. */
async function uploaded(name: string): Promise<void> {
  let uploadId = '';
  await until(`the service takes ${name}`, async () => {
    const { status, body } = await client.signal(plainSignal(name, 'web01'));
    uploadId = body.uploadId;
    return status === 200;
  });
  await until('an answer', answers);
  expect(await client.folded(uploadId)).toMatchObject({ folded: 1 });
}

describe('a changed password of the database (R-CFG-7)', () => {
  it('is one that the server asks for', async () => {
    const other = openDatabase(url('wrong'), { max: 1 });
    await expect(other.pool.query('select 1')).rejects.toMatchObject({ code: '28P01' });
    await other.close();
  });

  it('is used for new connections when the file has it before the server', async () => {
    await uploaded('with the first');
    await writeFile(passwordFile(), 'the second\n');
    await setPassword('the second');
    await endConnections();
    await until('answers with the second', answers);
    await uploaded('with the second');
  }, 180_000);

  it('is used when the file has it after the server has refused the old one', async () => {
    await setPassword('the third');
    await endConnections();
    await until('no answer', async () => !(await answers()));
    await writeFile(passwordFile(), 'the third');
    await until('answers with the third', answers);
    await uploaded('with the third');
    expect(await fetch(`${service.url}/health/ready`)).toMatchObject({ status: 200 });
  }, 180_000);

  it('loses nothing, and is in no log line', async () => {
    await expectVerified({
      DATABASE_URL: url(),
      DATABASE_PASSWORD_FILE: passwordFile(),
      DATA_DIR: dataDir,
    });
    expect(service.log).not.toMatch(/the (first|second|third)|stopped, /);
  }, 60_000);
});
