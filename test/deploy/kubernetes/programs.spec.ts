import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EmbeddedPostgres, NPM_PROGRAMS, openDatabase, startEmbeddedPostgres } from '#libs/database';
import { systemUser } from '../../../libs/database/src/embedded/system-user.ts';
import { ApiClient, plainSignal } from '../../support/api-client.ts';
import { TestAuthority } from '../../support/certificates.ts';
import { describeOwnKafka } from '../../support/kafka.ts';
import { StartedProgram } from '../../support/started-program.ts';
import { ADMIN, temporaryDataDir } from '../../support/started-standalone.ts';
import { startedPosture } from '../../support/verify.ts';
import { describeKubernetes } from './describe-kubernetes.ts';
import { buildText, type Manifest, named, parseManifests, templateOf } from './manifests.ts';
import { environmentOf } from './program-environment.ts';
import { KAFKA_MECHANISM, KAFKA_PASSWORD, SecuredKafka } from './secured-kafka.ts';

const PROGRAMS = ['gateway', 'projector', 'scorer', 'collector'];
/** Of every role of PostgreSQL. */
const ROLE_PASSWORD = 'of-a-role';

// A drill of a minute, to run after changes of the manifests: DEPLOY_DRILL=1.
if (process.env.DEPLOY_DRILL)
  describeKubernetes('deploy/kubernetes', () => describeOwnKafka('its programs', specs));
else describe.skip('the programs of deploy/kubernetes (skipped: DEPLOY_DRILL is not set)', specs);

/** By the environment of the manifests, on a Kafka and a PostgreSQL that are proven by certificates. */
function specs(): void {
  const manifests = process.env.DEPLOY_DRILL ? parseManifests(buildText('small')) : [];
  let folder: string;
  let kafka: SecuredKafka;
  let postgres: EmbeddedPostgres;
  const running: StartedProgram[] = [];

  beforeAll(async () => {
    folder = await temporaryDataDir();
    await writeFile(join(folder, 'role-password'), ROLE_PASSWORD);
    kafka = await SecuredKafka.start(manifests);
    postgres = await startPostgres(folder, kafka.authority);
    await makeRoles(postgres, named(manifests, 'Cluster', 'database'));
    expect(await run('migrate')).toContain('Migrated');
  }, 300_000);

  afterAll(async () => {
    const codes = await Promise.all(running.map((program) => program.stop()));
    await postgres?.stop();
    await kafka?.stop();
    await rm(folder, { recursive: true, force: true });
    expect(codes).toEqual(PROGRAMS.map(() => 0));
  }, 60_000);

  /** The command of a CronJob. */
  function run(name: string): Promise<string> {
    const job = named(manifests, 'CronJob', name);
    const [, ...args] = templateOf(job).spec.containers[0].args;
    const here = args.map((arg: string) => arg.replace(/^\/backup/, join(folder, 'backup')));
    return startedPosture(environment(job, kafka.authority.file), ...here);
  }

  /** @param authorities file of the certificate authorities that the program trusts */
  function environment(workload: Manifest, authorities: string): Record<string, string> {
    const url = new URL(postgres.url);
    const secrets: Record<string, string> = {
      'database-app username': named(manifests, 'Cluster', 'database').spec.bootstrap.initdb.owner,
      'posture-secrets secret-key': 's'.repeat(40),
      'posture-secrets admin-username': ADMIN.username,
      'posture-secrets admin-password': ADMIN.password,
    };
    const passwordOf = (secret: string) => (secret.startsWith('database-') ? ROLE_PASSWORD : KAFKA_PASSWORD);
    const env = environmentOf(
      manifests,
      workload,
      (secret, key) => secrets[`${secret} ${key}`] ?? (key === 'password' ? passwordOf(secret) : ''),
    );
    const here = (text: string) =>
      text
        .replace('database-rw:5432/posture', `${url.host}${url.pathname}`)
        .replace(/\/etc\/posture\/(log|database)\/ca\.crt/, authorities);
    return {
      ...Object.fromEntries(Object.entries(env).map(([variable, value]) => [variable, here(value)])),
      KAFKA_BROKERS: kafka.brokers,
      KAFKA_SASL_MECHANISM: KAFKA_MECHANISM,
      // One broker has one copy of everything.
      KAFKA_REPLICATION: '1',
      ...(env.DATABASE_PASSWORD_FILE && { DATABASE_PASSWORD_FILE: join(folder, 'role-password') }),
      DATA_DIR: join(folder, workload.metadata.name),
      HOST: '127.0.0.1',
      PORT: '0',
    };
  }

  it('do not start if the identity of the server is not verified', async () => {
    const other = await TestAuthority.create();
    const gateway = named(manifests, 'Deployment', 'gateway');
    await expect(StartedProgram.start('gateway', environment(gateway, other.file))).rejects.toThrow(
      'ended with 1',
    );
    await other.remove();
  }, 90_000);

  it('start, are ready, take and fold, and have no connection without TLS', async () => {
    for (const name of PROGRAMS) {
      const program = named(manifests, 'Deployment', name);
      running.push(await StartedProgram.start(name, environment(program, kafka.authority.file)));
    }
    const client = await ApiClient.signIn(running[0]!.url, ADMIN);
    const { body } = await client.signal(plainSignal('deployed', 'web01'));
    expect(await client.folded(body.uploadId)).toMatchObject({ folded: 1, outcome: { created: 1 } });
    for (const { url } of running) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    const { pool, close } = openDatabase(postgres.url, { max: 1 });
    const { rows } = await pool.query(
      `select distinct s.ssl as is_secured from pg_stat_activity a join pg_stat_ssl s using (pid)
        where a.backend_type = 'client backend' and a.pid <> pg_backend_pid()`,
    );
    await close();
    expect(rows).toEqual([{ is_secured: true }]);
    expect(await run('verify')).toMatch(/^Clean: /);
    expect(await run('backup')).toMatch(/^Backed up /);
    for (const program of running) expect(program.log).not.toMatch(/permission denied|not authorized/i);
  }, 180_000);
}

/** As the operator of the database does. */
async function makeRoles({ url }: EmbeddedPostgres, { spec }: Manifest): Promise<void> {
  const { pool, close } = openDatabase(url, { max: 1 });
  const { owner } = spec.bootstrap.initdb;
  await pool.query(`create role ${owner} login password '${ROLE_PASSWORD}'`);
  await pool.query(`alter database ${new URL(url).pathname.slice(1)} owner to ${owner}`);
  for (const { name, login, inRoles = [] } of spec.managed.roles) {
    await pool.query(`create role ${name} ${login ? `login password '${ROLE_PASSWORD}'` : 'nologin'}`);
    for (const role of inRoles) await pool.query(`grant ${role} to ${name}`);
  }
  await close();
}

async function startPostgres(folder: string, authority: TestAuthority): Promise<EmbeddedPostgres> {
  const { key, cert } = await authority.issue(['IP:127.0.0.1']);
  const files = join(folder, 'tls');
  await mkdir(files);
  await chmod(files, 0o755);
  const user = await systemUser();
  for (const [name, pem] of Object.entries({ key, cert })) {
    await writeFile(join(files, name), pem, { mode: 0o600 });
    if (user) await chown(join(files, name), user.uid, user.gid);
  }
  return startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    log: () => {},
    settings: { ssl: 'on', ssl_cert_file: join(files, 'cert'), ssl_key_file: join(files, 'key') },
    postgresBin: NPM_PROGRAMS,
  });
}
