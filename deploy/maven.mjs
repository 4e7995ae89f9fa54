// Java programs for development and tests, downloaded once from Maven Central into a folder outside version control.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE } from '../scripts/cache-folder.mjs';

const run = promisify(execFile);
const JAVA_VERSION_MIN = 17;
const DOWNLOAD_MS_MAX = 300_000;

/** The artifacts that a pom.xml names, in a folder. A changed pom.xml gets another folder. */
export class MavenFolder {
  #name;
  #pom;
  #goal;

  /**
   * @param {{name: string, pom: string, goal: string[]}} options `name`: of the folder; `pom`: path of the pom.xml;
   *   `goal`: goal of Maven with its options; it writes to the folder (outputDirectory)
   */
  constructor({ name, pom, goal }) {
    this.#name = name;
    this.#pom = pom;
    this.#goal = goal;
  }

  /** Why the artifacts cannot be downloaded or run on this machine, as a sentence; undefined if they can. */
  whyNot() {
    const version = javaVersion();
    if (version === undefined) return 'Java is not installed (17 or later is needed)';
    if (version < JAVA_VERSION_MIN) return `Java ${version} is too old (17 or later is needed)`;
    if (!existsSync(this.#path()) && !runs('mvn', '--version')) return 'Maven (mvn) is not installed';
    return undefined;
  }

  /** Returns the path of the folder. Downloads a missing folder with Maven. Safe for concurrent processes. */
  async take() {
    const folder = this.#path();
    if (existsSync(folder)) return folder;
    await mkdir(CACHE, { recursive: true });
    const partial = await mkdtemp(`${folder}-`);
    try {
      const args = ['-q', '-B', '-f', this.#pom, ...this.#goal, `-DoutputDirectory=${partial}`];
      await run('mvn', args, { timeout: DOWNLOAD_MS_MAX });
      await rename(partial, folder).catch((error) => {
        // Another process was first; its result is the same.
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

/** Asked once: to start Java only for its version takes a tenth of a second. */
let javaSettings;

function javaVersion() {
  // Java writes its settings to standard error.
  javaSettings ??= spawnSync('java', ['-XshowSettings:properties', '-version'], { encoding: 'utf8' });
  const { status, stderr } = javaSettings;
  if (status !== 0) return undefined;
  return Number(/java\.specification\.version = (\d+)/.exec(stderr)?.[1]);
}

const runs = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
