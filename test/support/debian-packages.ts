import { execFile, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const APT_MS_MAX = 180_000;
const LOCK = join(tmpdir(), 'posture-test-packages.lock');
const APT_OPTIONS = ['-q', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120'];

/** A program that tests need and npm does not bring. */
export interface DebianPackage {
  name: string;
  /** A command that succeeds where the package is there. */
  probe: readonly [command: string, ...args: string[]];
}

/** Why one of the packages is neither there nor can be installed by this user, as a sentence; undefined where all can. */
export function whyNoPackages(packages: readonly DebianPackage[]): string | undefined {
  const missing = missingOf(packages);
  if (missing.length === 0 || canInstall()) return undefined;
  return `${missing.join(' and ')} must be installed, and only root on Debian can do that by itself`;
}

/** Installs the packages that are missing. @throws Error where apt-get does not bring them within minutes */
export async function installPackages(packages: readonly DebianPackage[]): Promise<void> {
  const missing = missingOf(packages);
  if (missing.length === 0) return;
  const install = () => aptGet('install', ...APT_OPTIONS, ...missing);
  // Images come without lists of packages, or with old ones.
  await install().catch(() => aptGet('update', '-q').then(install));
}

const missingOf = (packages: readonly DebianPackage[]): string[] =>
  packages.filter(({ probe: [command, ...args] }) => !succeeds(command, ...args)).map(({ name }) => name);

const canInstall = (): boolean => process.getuid?.() === 0 && succeeds('apt-get', '--version');

const succeeds = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

async function aptGet(...args: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Spec files run side by side: lists of packages are locked too, and that lock does not wait.
  await run('flock', [LOCK, 'apt-get', ...args], { env, timeout: APT_MS_MAX });
}
