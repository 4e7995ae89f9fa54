// Makes a fresh clone ready: installs what is missing, then builds what changed. Uses Node alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or later is needed; this is ${process.versions.node}.`);
  process.exit(1);
}

async function run(command, ...args) {
  const [code] = await once(spawn(command, args, { cwd: root, stdio: 'inherit' }), 'close');
  if (code === 0) return;
  console.error(`${[command, ...args].join(' ')} ended with ${code}`);
  process.exit(1);
}
const runNode = (...args) => run(process.execPath, ...args);
const modifiedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

// npm writes this file last, so it is older than the lock file exactly when an install is due.
const installed = modifiedAt(`${root}/node_modules/.package-lock.json`);
if (installed < modifiedAt(`${root}/package-lock.json`)) {
  console.error('Installing dependencies …');
  await run('npm', 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error');
}

const buildInfo = `${root}/dist/.tsbuildinfo`;
if (!existsSync(buildInfo)) {
  console.error('Building for the first time …');
  rmSync(`${root}/dist`, { recursive: true, force: true });
}
/** Whether what was made of a folder is older than the folder, or than the tools that make it. */
function isDue(made, folder) {
  const madeAt = modifiedAt(`${root}/${made}`);
  const files = readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true });
  return installed > madeAt || files.some((file) => modifiedAt(`${file.parentPath}/${file.name}`) > madeAt);
}

// The console is a folder of its own under dist, the client a package of its own: no part of the first compilation.
const tsc = 'node_modules/typescript/bin/tsc';
async function buildPrograms() {
  await runNode(tsc, '-p', 'tsconfig.build.json', '--incremental', '--tsBuildInfoFile', 'dist/.tsbuildinfo');
  const bundledAt = modifiedAt(`${root}/dist/programs/posture.js`);
  const isStale = [buildInfo, `${root}/scripts/bundle.mjs`].some((path) => modifiedAt(path) > bundledAt);
  if (isStale || installed > bundledAt) await runNode('scripts/bundle.mjs');
}
const builds = [buildPrograms()];
if (isDue('dist/apps/console/index.html', 'apps/console')) {
  builds.push(runNode('node_modules/vite/bin/vite.js', 'build', 'apps/console', '--logLevel', 'warn'));
}
if (isDue('client/dist/index.js', 'client/src')) builds.push(runNode(tsc, '-p', 'client'));
await Promise.all(builds);
