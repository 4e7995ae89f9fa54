import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe } from '@jest/globals';
import { until } from './until.ts';

const run = promisify(execFile);

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: from now on nothing reaches the device, not even the journal. */
const SHUTDOWN =
  'my $how = pack("L", 2); open(F, "<", $ARGV[0]) and ioctl(F, 0x8004587D, $how) or die "$!\\n"';
const MEGABYTE = 1024 * 1024;

/** A separate ext4 file system on a loop device, for faults of the disk. */
export class LoopDisk {
  private constructor(
    private readonly folder: string,
    private readonly image: string,
    /** Its mount point. */
    readonly path: string,
  ) {}

  static async make(megabytes: number): Promise<LoopDisk> {
    const folder = await mkdtemp(join(tmpdir(), 'disk-'));
    await chmod(folder, 0o755);
    const [image, path] = [join(folder, 'image'), join(folder, 'mounted')];
    await writeFile(image, '');
    await truncate(image, megabytes * MEGABYTE);
    await run('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
    await mkdir(path);
    const disk = new LoopDisk(folder, image, path);
    await disk.mount();
    return disk;
  }

  /** Data that was not flushed to the device is lost at this instant. */
  async cutPower(): Promise<void> {
    await run('perl', ['-e', SHUTDOWN, this.path]);
  }

  /** Mounts the device again, as after a restart of the machine; every process on it must have ended. */
  async mountAgain(): Promise<void> {
    await this.unmount();
    await this.mount();
  }

  /** Leaves no block free, until `makeRoom`. */
  async fill(): Promise<void> {
    for (const block of [MEGABYTE, 4_096]) {
      await run('sh', [
        '-c',
        `dd if=/dev/zero bs=${block} >> "$0/filler" 2>/dev/null; sync "$0/filler"`,
        this.path,
      ]);
    }
  }

  async makeRoom(): Promise<void> {
    await rm(join(this.path, 'filler'));
  }

  async remove(): Promise<void> {
    await this.unmount();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async mount(): Promise<void> {
    await run('mount', ['-o', 'loop', this.image, this.path]);
  }

  /** A mount namespace of another process, such as a container's, can keep the file system after its unmount. */
  private async unmount(): Promise<void> {
    const isUnmounted = () =>
      run('umount', [this.path]).then(
        () => true,
        () => false,
      );
    await until(`${this.path} unmounted`, isUnmounted);
    await until(`${this.image} detached`, async () => {
      const { stdout } = await run('losetup', ['--associated', this.image]);
      return stdout === '';
    });
  }
}

/** Why there can be no disks of our own here; null if there can. */
function missingDisks(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'disk-'));
  const script = `
    truncate -s 8M image && mkfs.ext4 -q -F image && mkdir mounted && mount -o loop image mounted || exit 1
    perl -e '${SHUTDOWN}' mounted; status=$?
    umount mounted; exit $status`;
  try {
    execFileSync('sh', ['-c', script], { cwd: folder, stdio: 'pipe' });
    return null;
  } catch (error) {
    // Without the temporary folder: the same reason is counted once for all spec files.
    return `${(error as { stderr?: Buffer }).stderr ?? error}`.replaceAll(`${folder}/`, '').trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts the reason into the name of skipped tests, if this machine cannot run them. */
export function describeDisks(name: string, tests: () => void): void {
  const missing = missingDisks();
  if (missing) describe.skip(`${name} (skipped: ${missing})`, tests);
  else describe(name, tests);
}
