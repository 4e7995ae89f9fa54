// Makes a fresh clone ready: installs missing dependencies, then builds what changed. Uses only Node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
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

// npm writes this file last, so it is older than the lock file when an install is due.
const installedAt = () => modifiedAt(`${root}/node_modules/.package-lock.json`);

/** A copied node_modules can be older than the lock file of its clone: then the packages decide. */
function isInstalled() {
  if (installedAt() === 0) return false;
  if (installedAt() >= modifiedAt(`${root}/package-lock.json`)) return true;
  const packagesOf = (path) => JSON.parse(readFileSync(`${root}/${path}`, 'utf8')).packages;
  const { '': _project, ...locked } = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  return [...new Set([...Object.keys(locked), ...Object.keys(installed)])].every((path) => {
    // Most optional packages are for other platforms.
    if (!installed[path]) return locked[path].optional === true;
    return (
      locked[path]?.version === installed[path].version &&
      locked[path].integrity === installed[path].integrity
    );
  });
}
if (!isInstalled()) {
  console.error('Installing dependencies …');
  await run('npm', 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error');
}

if (!existsSync(`${root}/dist/.tsbuildinfo`)) {
  console.error('Building for the first time …');
  rmSync(`${root}/dist`, { recursive: true, force: true });
}
/** Whether what was made of files and folders is older than one of them, or than the tools that make it. */
function isDue(made, ...sources) {
  const madeAt = modifiedAt(`${root}/${made}`);
  const isNewer = (path) => modifiedAt(`${root}/${path}`) > madeAt;
  return installedAt() > madeAt || sources.some((source) => isNewer(source) || filesOf(source).some(isNewer));
}
/** Includes folders: a folder with a deleted file is newer too. */
function filesOf(source) {
  if (!existsSync(`${root}/${source}`) || !statSync(`${root}/${source}`).isDirectory()) return [];
  return readdirSync(`${root}/${source}`, { recursive: true }).map((path) => `${source}/${path}`);
}

// The console is a separate folder under dist. The client is compiled twice: into the command line, and as a package.
const tsc = 'node_modules/typescript/bin/tsc';
async function buildPrograms() {
  const last = 'dist/programs/posture.js';
  const settings = ['tsconfig.json', 'tsconfig.build.json', 'package.json', 'scripts/bundle.mjs'];
  // Asking the compiler whether something has changed takes seconds.
  if (!isDue(last, 'apps', 'libs', 'bench', 'client/src', ...settings)) return;
  const begunAt = new Date();
  const incremental = ['--incremental', '--tsBuildInfoFile', 'dist/.tsbuildinfo'];
  // `npm run typecheck` checks types: here that would double the work.
  await runNode(tsc, '-p', 'tsconfig.build.json', '--noCheck', ...incremental);
  await runNode('scripts/bundle.mjs');
  // Later changes are built the next time.
  utimesSync(`${root}/${last}`, begunAt, begunAt);
}
const builds = [buildPrograms()];
if (isDue('dist/apps/console/index.html', 'apps/console')) {
  builds.push(runNode('node_modules/vite/bin/vite.js', 'build', 'apps/console', '--logLevel', 'warn'));
}
if (isDue('client/dist/index.js', 'client/src')) builds.push(runNode(tsc, '-p', 'client'));
await Promise.all(builds);
