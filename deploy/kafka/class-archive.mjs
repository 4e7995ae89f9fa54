// The broker's classes as Java has loaded and verified them: a start with them takes half the CPU.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const QUIET = ['-Xlog:disable', '-Xlog:all=error:stderr'];

/**
 * Options of Java that read the archive beside the jars (50 MB); none if Java cannot record one.
 * @param {string} jars their folder
 * @param {(options: string[]) => Promise<void>} run runs a broker with options of Java that record the archive when it
 *   ends in order; called if there is no archive for these jars and this Java
 */
export async function classArchive(jars, run) {
  const archive = join(jars, `classes-${stampOf(jars)}.jsa`);
  if (!existsSync(archive)) {
    // Several processes may record at the same time.
    const partial = `${archive}.${process.pid}`;
    await run([...QUIET, `-XX:ArchiveClassesAtExit=${partial}`]).finally(() => {
      if (existsSync(partial)) renameSync(partial, archive);
    });
    const others = readdirSync(jars).filter((name) => name.includes('.jsa') && name !== basename(archive));
    for (const name of others) rmSync(join(jars, name), { force: true });
  }
  return existsSync(archive) ? [...QUIET, `-XX:SharedArchiveFile=${archive}`] : [];
}

/** Asked once: to start Java only for its version takes a tenth of a second. */
let javaBuild;

/** What Java compares before it accepts an archive: its own build, and the paths and times of the jars. */
function stampOf(folder) {
  javaBuild ??= spawnSync('java', ['-version'], { encoding: 'utf8' }).stderr;
  const jars = readdirSync(folder).filter((name) => name.endsWith('.jar'));
  const times = jars.sort().map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`);
  return createHash('sha256')
    .update([javaBuild, folder, ...times].join('\n'))
    .digest('hex')
    .slice(0, 12);
}
