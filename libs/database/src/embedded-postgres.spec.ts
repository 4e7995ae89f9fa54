import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openDatabase } from './database.ts';
import { NPM_PROGRAMS } from './embedded/find-programs.ts';
import { commandOf } from './embedded/process-table.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { runningInstanceUrl } from './running-instance.ts';

/** Small and quick; these tests are about the start and the end of the process. */
const settings = { shared_buffers: '16MB', max_connections: '10' };

let dataDir: string;
let directory: string;
const started: EmbeddedPostgres[] = [];
const lines: string[] = [];

async function start(folder = directory): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    directory: folder,
    log: (line) => lines.push(line),
    settings,
    postgresBin: NPM_PROGRAMS,
  });
  started.push(server);
  return server;
}

async function ask<T>(url: string, text: string): Promise<T[]> {
  const { db, close } = openDatabase(url, { max: 1 });
  try {
    return (await sql.raw<T>(text).execute(db)).rows;
  } finally {
    await close();
  }
}

const postmasterPid = async () =>
  Number.parseInt(await readFile(join(directory, 'postmaster.pid'), 'utf8'), 10);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-'));
  await chmod(dataDir, 0o755);
  directory = join(dataDir, 'postgres');
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.stop()));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('startEmbeddedPostgres', () => {
  it('initialises, listens only on 127.0.0.1 with fsync on, and keeps written data', async () => {
    const first = await start();
    expect(await ask(first.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await ask(first.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    expect(await ask(first.url, 'show unix_socket_directories')).toEqual([{ unix_socket_directories: '' }]);
    await ask(first.url, 'create table kept as select 1 as id');
    await first.stop();
    await first.stop();
    const second = await start();
    expect(await ask(second.url, 'select id from kept')).toEqual([{ id: 1 }]);
  });

  it('asks for the password, which only its user may read', async () => {
    const { url } = await start();
    const wrong = new URL(url);
    wrong.password = 'guess';
    await expect(ask(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    for (const file of ['postgres.password', 'postgres.json']) {
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600);
    }
  });

  it('is found by other programs while it runs, and only then', async () => {
    const server = await start();
    expect(await runningInstanceUrl(dataDir)).toBe(server.url);
    await server.stop();
    expect(await runningInstanceUrl(dataDir)).toBeNull();
    expect(await runningInstanceUrl(join(dataDir, 'nowhere'))).toBeNull();
  });

  it('rejects a folder that a live service uses', async () => {
    const server = await start();
    await expect(start()).rejects.toThrow(
      `in use by another instance (process ${process.pid} on ${hostname()})`,
    );
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await runningInstanceUrl(dataDir)).toBe(server.url);
  });

  it('reports when PostgreSQL ends unexpectedly', async () => {
    const server = await start();
    process.kill(await postmasterPid(), 'SIGINT');
    await server.ended;
    await server.stop();
    expect(await runningInstanceUrl(dataDir)).toBeNull();
  });

  it('starts after a stale note that names the process of another program', async () => {
    const server = await start();
    const note = await readFile(join(directory, 'postmaster.pid'), 'utf8');
    process.kill(await postmasterPid(), 'SIGQUIT');
    await server.ended;
    await server.stop();
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    try {
      await writeFile(join(directory, 'postmaster.pid'), note.replace(/^\d+/, `${stranger.pid}`));
      const next = await start();
      expect(await ask(next.url, 'select id from kept')).toEqual([{ id: 1 }]);
      expect(stranger.exitCode).toBeNull();
    } finally {
      stranger.kill();
    }
  });

  it('initialises again after a kill during initdb', async () => {
    const half = join(dataDir, 'half', 'postgres');
    await mkdir(`${half}.initialising-cut/base`, { recursive: true });
    await writeFile(`${half}.initialising-cut/PG_VERSION`, '18\n');
    const server = await start(half);
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(join(dataDir, 'half'))).sort()).toEqual([
      'postgres',
      'postgres.claim',
      'postgres.json',
      'postgres.lock',
      'postgres.password',
    ]);
  });

  it('stops PostgreSQL again if its address cannot be published', async () => {
    const full = join(dataDir, 'full', 'postgres');
    let pid: number | undefined;
    const attempt = startEmbeddedPostgres({
      directory: full,
      settings,
      postgresBin: NPM_PROGRAMS,
      log: (line) => {
        if (!line.includes('ready to accept connections')) return;
        pid = Number.parseInt(readFileSync(join(full, 'postmaster.pid'), 'utf8'), 10);
        mkdirSync(`${full}.json.new`);
      },
    });
    await expect(attempt).rejects.toThrow('postgres.json.new');
    expect(pid).toBeGreaterThan(0);
    expect(await commandOf(pid!)).toBeNull();
  });

  it('says which folder hides the cluster from the user of PostgreSQL, and what to do', async () => {
    const hidden = join(dataDir, 'hidden');
    await mkdir(hidden, { mode: 0o700 });
    const attempt = start(join(hidden, 'postgres'));
    if (process.getuid?.() === 0) await expect(attempt).rejects.toThrow(`chmod o+x ${hidden}`);
    else await expect(attempt).resolves.toBeDefined();
  });

  it('reports which file to restore if the password is lost', async () => {
    const lost = join(dataDir, 'lost', 'postgres');
    await mkdir(lost, { recursive: true });
    await expect(start(lost)).rejects.toThrow(`restore ${lost}.password`);
    expect(await runningInstanceUrl(join(dataDir, 'lost'))).toBeNull();
  });
});

describe('a service in a separate process', () => {
  /** Built by `npm test`; a started process reads no TypeScript. */
  const library = new URL('../../../dist/libs/database/src/index.js', import.meta.url).href;

  /** Starts the cluster, says its URL, and on SIGINT whether the database still answers, before it stops it. */
  const service = `
    import { openDatabase, startEmbeddedPostgres } from '${library}';
    const [directory, settings] = JSON.parse(process.argv[1]);
    const server = await startEmbeddedPostgres({ directory, settings, log: () => {}, postgresBin: '${NPM_PROGRAMS}' });
    process.on('SIGINT', async () => {
      const { pool, close } = openDatabase(server.url, { max: 1 });
      // A server that also got the signal ends its sessions within the first of these.
      let answers = 0;
      while (answers < 500) answers += (await pool.query('select 1 as one')).rows[0].one;
      await close();
      await server.stop();
      process.stdout.write('answers: ' + answers + '\\n', () => process.exit(0));
    });
    process.stdout.write(server.url + '\\n');`;

  async function startService(): Promise<{ child: ChildProcess; url: string }> {
    const args = ['--input-type=module', '-e', service, JSON.stringify([directory, settings])];
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = await once(child.stdout!, 'data');
    return { child, url: String(url).trim() };
  }

  it('leaves after kill -9 an orphan that the next start stops, with all that was committed', async () => {
    const { child, url } = await startService();
    await ask(url, 'create table committed as select 7 as id');
    const orphan = await postmasterPid();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await runningInstanceUrl(dataDir)).toBeNull();
    expect(await commandOf(orphan)).toContain(directory);
    lines.length = 0;
    const next = await start();
    expect(lines[0]).toBe(`stopping PostgreSQL (process ${orphan}) that an earlier run left behind`);
    expect(await commandOf(orphan)).toBeNull();
    expect(await ask(next.url, 'select id from committed')).toEqual([{ id: 7 }]);
  });

  it('keeps its database when Ctrl-C reaches the whole process group, until it stops it itself', async () => {
    const { child } = await startService();
    const pid = await postmasterPid();
    process.kill(-child.pid!, 'SIGINT');
    const [said] = await once(child.stdout!, 'data');
    expect(String(said).trim()).toBe('answers: 500');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await commandOf(pid)).toBeNull();
  });
});
