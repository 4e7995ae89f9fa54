// The broker's jars, taken once from Maven Central into a folder that is not committed.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POM = fileURLToPath(new URL('./pom.xml', import.meta.url));
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
const JAVA_VERSION_MIN = 17;
const DOWNLOAD_MS_MAX = 300_000;

/** A changed pom.xml gets a folder of its own, so that what is there is always what it names. */
const jarsFolder = () =>
  join(CACHE, `kafka-${createHash('sha256').update(readFileSync(POM)).digest('hex').slice(0, 12)}`);

/** Why no broker can be started on this machine, as a sentence; undefined where one can. */
export function whyNoBroker() {
  const version = javaVersion();
  if (version === undefined) return 'Java is not installed (17 or later is needed)';
  if (version < JAVA_VERSION_MIN) return `Java ${version} is too old (17 or later is needed)`;
  if (!existsSync(jarsFolder()) && !runs('mvn', '--version')) return 'Maven (mvn) is not installed';
  return undefined;
}

function javaVersion() {
  // The settings go to standard error, also where all is well.
  const { status, stderr } = spawnSync('java', ['-XshowSettings:properties', '-version'], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  return Number(/java\.specification\.version = (\d+)/.exec(stderr)?.[1]);
}

const runs = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Folder of the jars; takes them with Maven where they are missing (43 MB). Several processes may ask at once. */
export async function brokerJars() {
  const folder = jarsFolder();
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const partial = await mkdtemp(`${folder}-`);
  try {
    const args = ['-q', '-B', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${partial}`];
    await run('mvn', [...args, '-DincludeScope=runtime'], { timeout: DOWNLOAD_MS_MAX });
    await rename(partial, folder).catch((error) => {
      // Another process was first; its jars are the same.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}
