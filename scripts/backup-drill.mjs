// node scripts/backup-drill.mjs [--findings N] [--kafka]: loses a site under load and restores it, with times.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import yazl from 'yazl';
import { startKafka } from '../deploy/kafka/broker.mjs';

const { values } = parseArgs({
  options: { findings: { type: 'string', default: '50000' }, kafka: { type: 'boolean', default: false } },
});
const FINDINGS = Number(values.findings);
const IN_ZIP = 2_000;
const PER_HOST = 50;
const ADMIN = { username: 'admin', password: 'a-password-of-a-drill' };

const folder = mkdtempSync(join(tmpdir(), 'posture-drill-'));
chmodSync(folder, 0o755);
const at = (name) => join(folder, name);
const env = (name, more = {}) => ({
  PATH: process.env.PATH,
  PORT: '0',
  LOG_LEVEL: 'warn',
  DATA_DIR: at(name),
  POSTURE_ADMIN_USERNAME: ADMIN.username,
  POSTURE_ADMIN_PASSWORD: ADMIN.password,
  ...more,
});

async function timed(what, work) {
  const begun = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return result;
}

function posture(environment, ...args) {
  const said = execFileSync(process.execPath, ['apps/cli/posture.js', ...args], {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  console.log(`  ${said.trim().replaceAll('\n', '\n  ').replaceAll(folder, '')}`);
}

async function started(environment) {
  const child = spawn(process.execPath, ['dist/programs/standalone.js'], { env: environment });
  let output = '';
  child.stderr.pipe(process.stderr);
  for await (const text of child.stdout) {
    output += text;
    const url = /Service on (http:\S+)/.exec(output)?.[1];
    if (url) return { child, url, token: await tokenOf(url) };
  }
  throw new Error(`it did not start: ${output}`);
}

async function tokenOf(url) {
  const basic = Buffer.from(`${ADMIN.username}:${ADMIN.password}`).toString('base64');
  const answer = await fetch(`${url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  });
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}`);
  return (await answer.json()).accessToken;
}

const signal = (name, host) => ({
  version: '1.0',
  id: '09d34300-4c54-4e5e-9050-fff5d912cb19',
  name,
  entity: { type: 'machine', name: host },
  securityContext: {
    type: 'va',
    status: { complianceStatus: 'fail' },
    severity: { type: 'cvss', value: 7.5 },
    standardsMapping: [{ name: 'cve', value: 'CVE-2021-44228' }],
  },
});

async function zipOf(name, count) {
  const zip = new yazl.ZipFile();
  for (let i = 0; i < count; i++) {
    const text = JSON.stringify(signal(`${name} ${i}`, `${name}-host${Math.floor(i / PER_HOST)}`));
    zip.addBuffer(Buffer.from(text), `${i}.json`);
  }
  zip.end();
  return Buffer.concat(await zip.outputStream.toArray());
}

/** Returns the id of the upload once it is acknowledged; waits as long as the service requests. */
async function send({ url, token }, name, count) {
  const file = new Blob([await zipOf(name, count)]);
  for (;;) {
    const form = new FormData();
    form.append('file', file, 'signals.zip');
    const answer = await fetch(`${url}/api/v3/signals/zip`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
      body: form,
    });
    const body = await answer.json();
    if (answer.status === 200) return body.uploadId;
    if (answer.status !== 429) throw new Error(`an upload was answered ${answer.status}`);
    await setTimeout(1000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}

async function folded({ url, token }, uploadId) {
  for (;;) {
    const answer = await fetch(`${url}/api/v3/uploads/${uploadId}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const upload = await answer.json();
    if (answer.status === 200 && upload.done) return upload;
    await setTimeout(100);
  }
}

async function sizeOf(path) {
  const files = await readdir(path, { recursive: true, withFileTypes: true });
  let bytes = 0;
  for (const file of files.filter((one) => one.isFile()))
    bytes += (await stat(join(file.parentPath, file.name))).size;
  return bytes;
}

async function kafkaOf(name) {
  if (!values.kafka) return { env: {}, stop: async () => {} };
  const cluster = await startKafka({ directory: at(name) });
  return { env: { KAFKA_BROKERS: cluster.brokers }, stop: () => cluster.stop() };
}

let oldLog = await kafkaOf('kafka-old');
const site = await started(env('old', oldLog.env));
const filled = [];
await timed(`fill, ${FINDINGS} findings`, async () => {
  for (let i = 0; i < FINDINGS / IN_ZIP; i++) filled.push(await send(site, `fill${i}`, IN_ZIP));
  for (const uploadId of filled) await folded(site, uploadId);
});
const acknowledged = [...filled];
let isLoading = true;
const load = (async () => {
  for (let i = 0; isLoading; i++) acknowledged.push(await send(site, `load${i}`, 200));
})();
await timed('backup, the first', async () => posture(env('old', oldLog.env), 'backup', at('backup')));
await setTimeout(3_000);
const before = [...acknowledged];
await timed('backup, what came since', async () => posture(env('old', oldLog.env), 'backup', at('backup')));
console.log(`  ${((await sizeOf(at('backup'))) / 2 ** 20).toFixed(1)} MiB in the directory`);
isLoading = false;
await load;

const killed = once(site.child, 'close');
site.child.kill('SIGKILL');
await killed;
await oldLog.stop();
mkdirSync(at('new'), { mode: 0o755 });
copyFileSync(join(at('old'), 'secret-key'), join(at('new'), 'secret-key'));
// The lost machine includes its PostgreSQL.
process.kill(
  Number(readFileSync(join(at('old'), 'postgres/postmaster.pid'), 'utf8').split('\n')[0]),
  'SIGKILL',
);
rmSync(at('old'), { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
rmSync(at('kafka-old'), { recursive: true, force: true });
oldLog = undefined;
console.log(
  `lost, with ${acknowledged.length} uploads acknowledged, ${before.length} of them before the last backup`,
);

const newLog = await kafkaOf('kafka-new');
await timed('restore', async () => posture(env('new', newLog.env), 'restore', at('backup')));
const again = await timed('start and sign in', () => started(env('new', newLog.env)));
await timed('verify', async () => posture(env('new', newLog.env), 'verify'));
for (const uploadId of before) await folded(again, uploadId);
console.log(`all ${before.length} uploads are there`);
const ended = once(again.child, 'close');
again.child.kill('SIGINT');
await ended;
await newLog.stop();
rmSync(folder, { recursive: true, force: true });
