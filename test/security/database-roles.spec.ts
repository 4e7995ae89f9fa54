import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '#libs/database';
import { INTAKE_TOPIC } from '#libs/intake';
import { ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN, ADMIN_ENV, temporaryDataDir } from '../support/started-standalone.ts';
import { SERVER_URL_VARIABLE, withDatabase } from '../support/test-server.ts';
import { until } from '../support/until.ts';
import { startedPosture } from '../support/verify.ts';

const DATABASE = 'test_roles';
const ROLES = 'deploy/postgres/roles.sql';
const OWNER = 'posture_owner';
const PASSWORD = 'of-a-test';
const PROGRAMS = ['gateway', 'projector', 'scorer', 'collector'] as const;
const HELPERS = ['archiver', 'backup'] as const;
const FORBIDDEN = '42501';

type Role = (typeof PROGRAMS)[number] | (typeof HELPERS)[number];

let server: Database;
let admin: Database;
let dataDir: string;
const programs: StartedProgram[] = [];

const serverUrl = () => withDatabase(process.env[SERVER_URL_VARIABLE]!, DATABASE);
function urlAs(user: string, password: string): string {
  const url = new URL(serverUrl());
  url.username = user;
  url.password = password;
  return url.href;
}
const urlOf = (role: Role) => urlAs(`posture_${role}`, PASSWORD);
/** As on Kubernetes: one URL for all, and the user separately. */
const envAs = (user: string) => ({
  DATABASE_URL: urlAs('', ''),
  PGUSER: user,
  PGPASSWORD: PASSWORD,
  DATA_DIR: dataDir,
  LOG_PARTITIONS: '2',
  ...ADMIN_ENV,
});

/** A site whose owner migrates, and whose programs run each with the role that deploy/postgres/roles.sql gives it. */
beforeAll(async () => {
  dataDir = await temporaryDataDir();
  server = openDatabase(process.env[SERVER_URL_VARIABLE]!, { max: 1 });
  await server.pool.query(`create role ${OWNER} login password '${PASSWORD}'`);
  await server.pool.query(`create database ${DATABASE} owner ${OWNER}`);
  await startedPosture(envAs(OWNER), 'migrate');
  admin = openDatabase(serverUrl(), { max: 2 });
  const roles = await readFile(ROLES, 'utf8');
  await admin.pool.query(roles);
  // The owner may make no roles, nor say who is in one: again, it has to do without.
  await startedPosture(envAs(OWNER), 'migrate', '--roles', ROLES);
  for (const role of [...PROGRAMS, ...HELPERS]) {
    await admin.pool.query(`alter role posture_${role} login password '${PASSWORD}'`);
  }
  programs.push(
    ...(await Promise.all(PROGRAMS.map((app) => StartedProgram.start(app, envAs(`posture_${app}`))))),
  );
}, 120_000);

afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await admin?.close();
  await server.pool.query(`drop database if exists ${DATABASE} with (force)`);
  const { rows } = await server.pool.query(`select rolname from pg_roles where rolname like 'posture\\_%'`);
  for (const { rolname } of rows) await server.pool.query(`drop role ${rolname}`);
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

const signIn = () => ApiClient.signIn(programs[0]!.url, ADMIN);

async function upload(client: ApiClient, name: string): Promise<void> {
  const zip = await zipOf({
    'a.json': plainSignal(name, 'web01'),
    'b.json': plainSignal(`${name} too`, 'web02'),
  });
  const { status, body } = await client.zip(zip);
  expect(status).toBe(200);
  expect(await client.folded(body.uploadId)).toMatchObject({ folded: 2 });
}

describe('programs with a separate role each', () => {
  it('take uploads and acts, fold, score and answer', async () => {
    const client = await signIn();
    await upload(client, 'first');
    const [finding] = await client.all('/api/v3/findings?name=first');
    const accepted = await client.request(
      'POST',
      `/api/v3/findings/${finding.id}/accept`,
      JSON.stringify({ rationale: 'known', version: finding.version }),
      { 'content-type': 'application/json' },
    );
    expect([accepted.status, accepted.body]).toEqual([200, expect.anything()]);
    await until('a score of each asset', async () => {
      const { rows } = await admin.pool.query('select count(score) as scored from asset_scores');
      return rows[0].scored >= 1;
    });
    for (const { url } of programs) expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it('continue when the tables were replaced, and the log and the backup have roles too', async () => {
    expect(await startedPosture(envAs(OWNER), 'replay')).toMatch(/^Replayed: /);
    await upload(await signIn(), 'second');
    const directory = join(dataDir, 'backup');
    expect(await startedPosture(envAs('posture_backup'), 'backup', directory)).toMatch(/^Backed up/);
    const checkpoint = join(dataDir, 'checkpoint');
    await startedPosture(envAs(OWNER), 'checkpoint', checkpoint);
    const archive = join(dataDir, 'archive');
    expect(await startedPosture(envAs('posture_archiver'), 'archive', archive, '--to', checkpoint)).toMatch(
      /^Archived {3}\d+ records .*; [1-9]\d* were removed/,
    );
    expect(await startedPosture(envAs(OWNER), 'verify')).toMatch(/^Clean: /);
    for (const program of programs) expect(program.log).not.toMatch(/permission denied/);
  }, 120_000);
});

const APPEND = (topic: string) =>
  `insert into log_records (topic, partition, "offset", key, value) values ('${topic}', 0, 1000000, 'k', '')`;
const ALL_PROGRAMS: readonly Role[] = [...PROGRAMS, 'backup'];
const BUT = (...roles: Role[]): Role[] => [...PROGRAMS, ...HELPERS].filter((role) => !roles.includes(role));

const FORBIDDEN_STATEMENTS: [statement: string, roles: readonly Role[]][] = [
  [`update log_records set value = ''`, BUT()],
  ['delete from log_records', ALL_PROGRAMS],
  ['truncate log_records', BUT()],
  ['drop table log_records', BUT()],
  ['alter table log_records disable row level security', BUT()],
  [APPEND(INTAKE_TOPIC), ['scorer', 'archiver', 'backup']],
  [APPEND('posture.findings'), ['gateway', 'collector', 'scorer', 'archiver', 'backup']],
  [APPEND('posture.scores'), ['gateway', 'collector', 'projector', 'archiver', 'backup']],
  ['delete from log_ends', BUT()],
  [`update log_identity set log_id = gen_random_uuid()`, BUT()],
  ['delete from log_identity', BUT()],
  ...[
    'projection_positions',
    'assets',
    'asset_seen',
    'findings',
    'finding_seen',
    'upload_progress',
    'organization',
  ].flatMap((table): [string, readonly Role[]][] => [
    [`insert into ${table} default values`, BUT('projector')],
    [`delete from ${table}`, BUT()],
  ]),
  [`update assets set name = 'x'`, BUT('projector')],
  [`update findings set state = 'Failed'`, BUT('projector')],
  ...['asset_history', 'finding_history', 'acts', 'quarantine'].flatMap(
    (table): [string, readonly Role[]][] => [
      [`insert into ${table} default values`, BUT('projector')],
      [`update ${table} set partition = 0`, BUT()],
      [`delete from ${table}`, table === 'finding_history' ? BUT('projector') : BUT()],
    ],
  ),
  ...[
    'asset_scores',
    'finding_decisions',
    'score_history',
    'score_changes',
    'scored_partitions',
    'rescorings',
  ].map((table): [string, readonly Role[]] => [`insert into ${table} default values`, BUT('scorer')]),
  ['update score_changes set score = 0', BUT()],
  ['delete from score_changes', BUT()],
  ['select password_hash from credentials', BUT('gateway', 'backup')],
  [`update credentials set role = 'admin'`, BUT('gateway')],
  ['select secret_hash from api_tokens', BUT('gateway', 'backup')],
  [`update api_tokens set scopes = '{}'`, BUT('gateway')],
  ['select secret from second_factors', BUT('gateway', 'backup')],
  ['select display_name from user_groups', BUT('gateway', 'backup')],
  ['select client_secret from identity_providers', BUT('gateway', 'backup')],
  ['delete from identity_providers', BUT()],
  ['select name from users', BUT('gateway', 'backup')],
  ['select query from saved_views', BUT('gateway', 'backup')],
  ['select content from report_schedules', BUT('gateway', 'backup')],
  ['delete from report_deliveries', BUT('gateway')],
  ['update refused_uploads set count = 0', BUT('gateway')],
  ['select content from notification_people', BUT('gateway', 'backup')],
  ['select content from notification_settings', BUT('gateway', 'backup')],
  ['delete from notifications', BUT('gateway')],
  ['delete from notified_problems', BUT('gateway')],
  ['delete from notified_findings', BUT('gateway')],
  ['delete from default_views', BUT('gateway')],
  [`update users set grants = '{}'`, BUT('gateway')],
  ['select secret_hash from sessions', BUT('gateway')],
  [`update roles set scopes = '{}'`, BUT('gateway')],
  ['select sealed from integration_secrets', BUT('gateway', 'collector', 'backup')],
  ['select address from security_events', BUT('gateway', 'backup')],
  ['select address from act_origins', BUT('gateway', 'backup')],
  [`update act_origins set token = ''`, BUT()],
  ['select answer from idempotency_keys', BUT('gateway', 'backup')],
  [`insert into import_contexts default values`, BUT('gateway')],
  ['delete from import_contexts', BUT()],
  [`update catalogue_rows set value = '{}'`, BUT('scorer')],
  ['delete from catalogue_rows', BUT()],
  [`update migrations set sha256 = ''`, BUT()],
  ['create table public.mine (x int)', BUT()],
  ['create schema mine', BUT()],
];

describe('a role', () => {
  it.each([...PROGRAMS, ...HELPERS])('%s is denied all other statements by PostgreSQL', async (role) => {
    const { pool, close } = openDatabase(urlOf(role), { max: 1 });
    const allowed: string[] = [];
    try {
      for (const [statement, roles] of FORBIDDEN_STATEMENTS) {
        if (!roles.includes(role)) continue;
        await pool.query('begin');
        const code = await pool.query(statement).then(
          () => 'done',
          (error: { code?: string }) => error.code,
        );
        await pool.query('rollback');
        if (code !== FORBIDDEN) allowed.push(`${statement}: ${code}`);
      }
    } finally {
      await close();
    }
    expect(allowed).toEqual([]);
  });

  it('is decided for every table: who may write it', async () => {
    const { rows } = await admin.pool.query(
      `select tablename from pg_tables where schemaname = 'public' and not exists (
         select from information_schema.role_table_grants g
          where g.table_schema = 'public' and g.table_name = tablename and g.grantee like 'posture\\_%'
            and g.grantee <> 'posture_owner' and g.privilege_type in ('INSERT', 'UPDATE', 'DELETE'))
       order by 1`,
    );
    // Written by only the owner: migrations, the start of the log, the import of catalogues, and an operator's word.
    expect(rows.map(({ tablename }) => tablename)).toEqual([
      'clock_confirmations',
      'log_identity',
      'migrations',
    ]);
  });
});
