import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';

/** Runs a command in new process and ipc namespaces, as a container does, on the same files and network. */
export const CONTAINER = ['unshare', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc'];

/** One that also has a separate network. */
export const CONTAINER_WITH_NETWORK = [...CONTAINER, '--net'];

/** Why there can be no containers here; null if there can. */
function missingContainers(): string | null {
  const [command, ...args] = [...CONTAINER_WITH_NETWORK, 'true'];
  const { status, stderr, error } = spawnSync(command!, args, { encoding: 'utf8' });
  return status === 0 ? null : (error?.message ?? stderr.trim());
}

/** Puts the reason into the name of skipped tests, if this machine cannot run them. */
export function describeContainers(name: string, tests: () => void): void {
  const missing = missingContainers();
  if (missing) describe.skip(`${name} (skipped: ${missing})`, tests);
  else describe(name, tests);
}
