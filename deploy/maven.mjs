// Java programs for development and tests, taken once from Maven Central into a folder that is not committed.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));
const JAVA_VERSION_MIN = 17;
const DOWNLOAD_MS_MAX = 300_000;

/** What a pom.xml names, in a folder. A changed pom.xml gets a folder of its own. */
export class MavenFolder {
  #name;
  #pom;
  #goal;

  /**
   * @param {{name: string, pom: string, goal: string[]}} options `name`: of the folder; `pom`: path of the pom.xml;
   *   `goal`: what Maven is to do, with its options; it gets the folder as outputDirectory
   */
  constructor({ name, pom, goal }) {
    this.#name = name;
    this.#pom = pom;
    this.#goal = goal;
  }

  /** Why it cannot be had or used on this machine, as a sentence; undefined where it can. */
  whyNot() {
    const version = javaVersion();
    if (version === undefined) return 'Java is not installed (17 or later is needed)';
    if (version < JAVA_VERSION_MIN) return `Java ${version} is too old (17 or later is needed)`;
    if (!existsSync(this.#path()) && !runs('mvn', '--version')) return 'Maven (mvn) is not installed';
    return undefined;
  }

  /** Path of the folder; takes it with Maven where it is missing. Several processes may ask at once. */
  async take() {
    const folder = this.#path();
    if (existsSync(folder)) return folder;
    await mkdir(CACHE, { recursive: true });
    const partial = await mkdtemp(`${folder}-`);
    try {
      const args = ['-q', '-B', '-f', this.#pom, ...this.#goal, `-DoutputDirectory=${partial}`];
      await run('mvn', args, { timeout: DOWNLOAD_MS_MAX });
      await rename(partial, folder).catch((error) => {
        // Another process was first; what it has is the same.
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
    return folder;
  }

  #path() {
    const version = createHash('sha256').update(readFileSync(this.#pom)).digest('hex').slice(0, 12);
    return join(CACHE, `${this.#name}-${version}`);
  }
}

function javaVersion() {
  // The settings go to standard error, also where all is well.
  const { status, stderr } = spawnSync('java', ['-XshowSettings:properties', '-version'], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  return Number(/java\.specification\.version = (\d+)/.exec(stderr)?.[1]);
}

const runs = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
