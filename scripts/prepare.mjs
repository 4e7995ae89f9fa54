// Makes a fresh clone ready: installs what is missing, then builds what changed. Uses Node alone.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or later is needed; this is ${process.versions.node}.`);
  process.exit(1);
}

const run = (command, args) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });
const modifiedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

// npm writes this file last, so it is older than the lock file exactly when an install is due.
const installed = modifiedAt(`${root}/node_modules/.package-lock.json`);
if (installed < modifiedAt(`${root}/package-lock.json`)) {
  console.error('Installing dependencies …');
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
}

const buildInfo = `${root}/dist/.tsbuildinfo`;
if (!existsSync(buildInfo)) {
  console.error('Building for the first time …');
  rmSync(`${root}/dist`, { recursive: true, force: true });
}
run(process.execPath, [
  'node_modules/typescript/bin/tsc',
  '-p',
  'tsconfig.build.json',
  '--incremental',
  '--tsBuildInfoFile',
  'dist/.tsbuildinfo',
]);

/** Whether what was made of a folder is older than the folder, or than the tools that make it. */
function isDue(made, folder) {
  const madeAt = modifiedAt(`${root}/${made}`);
  const files = readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true });
  return installed > madeAt || files.some((file) => modifiedAt(`${file.parentPath}/${file.name}`) > madeAt);
}

// The console is a folder of its own under dist, the client a package of its own: no part of the compilation above.
if (isDue('dist/apps/console/index.html', 'apps/console')) {
  run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', 'apps/console', '--logLevel', 'warn']);
}
if (isDue('client/dist/index.js', 'client/src')) {
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'client']);
}
