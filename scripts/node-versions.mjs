// For CI: builds and starts with each supported version of Node but the one that runs this, which `npm test` uses, and runs
// `npm run test:quick` with the oldest.
// `--bin MAJOR` prints the folder of that version's `node` instead.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CACHE } from './cache-folder.mjs';

const run = promisify(execFile);

const VERSIONS = ['20.19.6', '22.23.3', '24.21.0'];
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOWNLOAD_MS_MAX = 300_000;
// Beside the tests, a step gets a part of the cores.
const STEP_MS_MAX = 2_700_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Only the oldest: newer versions lack nothing that it has, and `npm test` uses the newest. */
const QUICK_VERSION = VERSIONS[0];

/** `npm run …`; the first step has built, so the others need no `pre` script. */
const STEPS = {
  build: ['build'],
  'test:quick': ['test:quick', '--ignore-scripts'],
  // Starts the service, uploads, queries, stops, starts again and verifies.
  start: ['test:quick', '--ignore-scripts', '--', '--testRegex=test/e2e/start-stop', '-t=keeps everything'],
};
/** Files that each version builds itself; the compiler only checks whether earlier output is up to date. */
const MADE_ANEW = /\/(dist\/programs|dist\/apps\/console|client\/dist)$/;
// Tests write released programs meanwhile.
const LEFT_OUT = /\/(node_modules|coverage|sbom|__pycache__|dist\/released)$/;

class Failure extends Error {}

/**
 * Folder of a version's `node`, from the package that the npm package `node` installs for this machine.
 * @throws Error if npm cannot install it
 */
async function take(version) {
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = [prefix, process.platform, process.arch].join('-');
  const folder = join(CACHE, `${name}-${version}`);
  const bin = join(folder, 'node_modules', name, 'bin');
  if (existsSync(bin)) return bin;
  await mkdir(CACHE, { recursive: true });
  const partial = await mkdtemp(`${folder}-`);
  try {
    const options = ['--no-save', '--no-audit', '--no-fund', '--prefix', partial];
    const install = run('npm', ['install', ...options, `${name}@${version}`], { timeout: DOWNLOAD_MS_MAX });
    await install.catch(({ stderr, message }) => {
      throw new Error(`npm cannot install it: ${/^npm error code .*/m.exec(stderr) ?? message}`);
    });
    await rename(partial, folder).catch((error) => {
      // Another process was first.
      if (!existsSync(bin)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return bin;
}

/** A copy of this folder, so that a version does not change the local build. */
async function copyOfRoot() {
  const folder = await mkdtemp(join(tmpdir(), 'posture-node-'));
  // PostgreSQL runs as another user where this runs as root.
  await chmod(folder, 0o755);
  const isCopied = (path) => !MADE_ANEW.test(path) && !LEFT_OUT.test(path);
  for (const name of (await readdir(ROOT)).filter((each) => !each.startsWith('.') && isCopied(`/${each}`))) {
    // Files newer than their sources are not built again.
    await cp(join(ROOT, name), join(folder, name), {
      recursive: true,
      preserveTimestamps: true,
      filter: isCopied,
    });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const stepsOf = (version) =>
  Object.entries(STEPS).filter(([step]) => step !== 'test:quick' || version === QUICK_VERSION);

/** @throws Failure with the step and its output if one fails */
async function check(version, bin) {
  const cwd = await copyOfRoot();
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const options = { cwd, env, timeout: STEP_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX };
  try {
    for (const [step, args] of stepsOf(version)) {
      await run('npm', ['run', '--silent', ...args], options).catch(({ stdout, stderr }) => {
        throw new Failure(`${step} failed:\n${stdout}${stderr}`);
      });
    }
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

/** Standard output ends with the closing line of `npm test`: nothing here may look like one. */
const report = (text) => console.error(text.replaceAll('\n', '\n  '));

const major = (version) => version.split('.')[0];
const isOwn = (version) => major(version) === major(process.versions.node);

async function checkOthers() {
  for (const version of VERSIONS.filter((each) => !isOwn(each))) {
    const startedAt = performance.now();
    try {
      await check(version, await take(version));
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      const steps = stepsOf(version).map(([step]) => step);
      report(`Node ${version}: ${steps.join(', ')} passed in ${seconds} s`);
    } catch (error) {
      report(`Node ${version}: ${error.message}`);
      if (error instanceof Failure || process.env.CI === 'true') process.exitCode = 1;
    }
  }
}

if (process.argv[2] === '--bin') {
  const version = VERSIONS.find((each) => major(each) === process.argv[3]);
  if (!version)
    throw new Error(`--bin must be one of ${VERSIONS.map(major).join(', ')} (got ${process.argv[3]})`);
  console.log(isOwn(version) ? dirname(process.execPath) : await take(version));
} else {
  await checkOthers();
}
