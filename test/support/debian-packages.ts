import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
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
  /** A command that succeeds if the package is installed. */
  probe: readonly [command: string, ...args: string[]];
}

/** A program of a package that is used without installing it: without its dependencies and services. */
export interface DebianTool {
  package: string;
  command: string;
  /** Within the package. */
  path: string;
}

/** Why a tool is neither there nor can be fetched, as a sentence; undefined if it can. */
export function whyNoTool(tool: DebianTool): string | undefined {
  if (isThere(tool) || succeeds('apt-get', '--version')) return undefined;
  return `${tool.command} must be installed, and only Debian has it by apt-get`;
}

/** Path of a tool: the installed one, or extracted from its package. @throws Error if apt-get cannot download it */
export async function toolPath(tool: DebianTool): Promise<string> {
  if (succeeds(tool.command, '--version')) return tool.command;
  if (!existsSync(extracted(tool))) await extract(tool);
  return extracted(tool);
}

const isThere = (tool: DebianTool): boolean =>
  succeeds(tool.command, '--version') || existsSync(extracted(tool));

const folderOf = (tool: DebianTool): string => join(tmpdir(), `posture-test-${tool.package}`);
const extracted = (tool: DebianTool): string => join(folderOf(tool), tool.path);

/** Kept for the next run; whole from the moment on that it has its name. */
async function extract(tool: DebianTool): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'posture-test-package-'));
  const download = () =>
    run('apt-get', ['-q', 'download', tool.package], { cwd: folder, timeout: APT_MS_MAX });
  try {
    await download().catch(() => aptGet('update', '-q').then(download));
    const [file] = await readdir(folder);
    const files = join(folder, 'files');
    await run('dpkg', ['-x', join(folder, file!), files], { timeout: APT_MS_MAX });
    await rename(files, folderOf(tool));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Why one of the packages is neither there nor can be installed by this user, as a sentence; undefined if all can. */
export function whyNoPackages(packages: readonly DebianPackage[]): string | undefined {
  const missing = missingOf(packages);
  if (missing.length === 0 || canInstall()) return undefined;
  return `${missing.join(' and ')} must be installed, and only root on Debian can do that by itself`;
}

/** Installs the packages that are missing. @throws Error if apt-get does not bring them within minutes */
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
