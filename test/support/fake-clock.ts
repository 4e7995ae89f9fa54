import { existsSync, readdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from '@jest/globals';

/** Debian's package `faketime`: the library that gives a process another clock. */
const LIBRARIES = '/usr/lib';
const FILE = join('faketime', 'libfaketimeMT.so.1');

const CLOCK_FOR_CHILDREN = new URL('./clock-for-children.mjs', import.meta.url).href;

const library = (): string | undefined =>
  existsSync(LIBRARIES)
    ? [LIBRARIES, ...readdirSync(LIBRARIES).map((folder) => join(LIBRARIES, folder))]
        .map((folder) => join(folder, FILE))
        .find((path) => existsSync(path))
    : undefined;

/** Why no process can have another clock here, as a sentence; undefined if one can. */
export const whyNoFakeClock = (): string | undefined =>
  library() ? undefined : 'libfaketime must be installed (Debian: apt-get install faketime)';

/** As `describe`; skipped, with the reason in its name, if no process can have another clock. */
export function describeFakeClocks(name: string, tests: () => void): void {
  const why = whyNoFakeClock();
  if (why) describe.skip(`${name} (skipped: ${why})`, tests);
  else describe(name, tests);
}

/** The wall clock of processes that were started with `env`: moved while they run. */
export class FakeClock {
  private constructor(private readonly file: string) {}

  /**
   * @param folder readable for every user of the processes
   * @param name of several clocks in one folder
   */
  static async at(folder: string, offset = '+0', name = ''): Promise<FakeClock> {
    const clock = new FakeClock(join(folder, `clock${name.replaceAll(' ', '-')}`));
    await clock.set(offset);
    return clock;
  }

  /** Monotonic time is unchanged, as when the clock of a machine is set. */
  get env(): Record<string, string> {
    return {
      LD_PRELOAD: library()!,
      FAKETIME_TIMESTAMP_FILE: this.file,
      // Seconds; at every question for the time it would open the file.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** The same for a program and its children, such as its PostgreSQL. */
  get envOfAll(): Record<string, string> {
    return { ...this.env, NODE_OPTIONS: `--import=${CLOCK_FOR_CHILDREN}` };
  }

  /** @param offset from the true time, such as `+120d`, `-1h` or `+0` */
  async set(offset: string): Promise<void> {
    // Whole or not at all: the library reads it at any moment.
    await writeFile(`${this.file}.new`, `${offset}\n`, { mode: 0o644 });
    await rename(`${this.file}.new`, this.file);
  }
}
