// Keycloak on this machine, for tests: an identity provider as organizations run it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MavenFolder } from '../maven.mjs';

const START_MS_MAX = 170_000;
const OUTPUT_CHARACTERS_MAX = 20_000;
const LISTENING = /Listening on: (http:\S+?:\d+)/;
const ADMIN = { username: 'admin', password: 'keycloak-admin-for-tests' };

const archive = new MavenFolder({
  name: 'keycloak',
  pom: fileURLToPath(new URL('./pom.xml', import.meta.url)),
  goal: ['dependency:unpack'],
});

/** Why Keycloak cannot be started on this machine, as a sentence; undefined if it can. */
export const whyNoKeycloak = () => archive.whyNot();

/** Starts Keycloak on a free port, with its realms in memory. The first call downloads its archive (147 MB). */
export async function startKeycloak() {
  const folder = await archive.take();
  const release = (await readdir(folder)).find((name) => name.startsWith('keycloak-'));
  const child = spawn('sh', [join(folder, release, 'bin', 'kc.sh'), ...START], {
    env: { ...process.env, ...ENV },
    stdio: ['ignore', 'pipe', 'pipe'],
    // kc.sh starts Java, which ends with it as its group.
    detached: true,
  });
  const kill = () => process.kill(-child.pid, 'SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.removeListener('exit', kill));
  return {
    url: await addressOf(child, kill),
    admin: ADMIN,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'close');
      kill();
      await ended;
    },
  };
}

const START = ['start-dev', '--db=dev-mem', '--http-host=127.0.0.1', '--http-port=0', '--cache=local'];

const ENV = {
  KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
  KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
  JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
};

function addressOf(child, kill) {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why) => {
      clearTimeout(tooLong);
      child.removeListener('close', onClose);
      if (child.exitCode === null && child.pid !== undefined) kill();
      reject(new Error(`Keycloak ${why}:\n${output}`));
    };
    const tooLong = setTimeout(() => fail(`did not start within ${START_MS_MAX} ms`), START_MS_MAX);
    child.once('error', (error) => fail(`could not be run (${error.message})`));
    const onClose = (code) => fail(`ended with ${code}`);
    child.once('close', onClose);
    const read = (text) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
      const address = LISTENING.exec(output)?.[1];
      if (!address) return;
      clearTimeout(tooLong);
      child.removeListener('close', onClose);
      resolve(address);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
  });
}
