// Apicurio Registry on this machine, for tests: an external schema registry with a Confluent-compatible API.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MavenFolder } from '../maven.mjs';

const START_MS_MAX = 90_000;
const OUTPUT_CHARACTERS_MAX = 20_000;
const LISTENING = /Listening on: (http:\S+?:\d+)/;
const API = '/apis/ccompat/v7';

const application = new MavenFolder({
  name: 'apicurio-registry',
  pom: fileURLToPath(new URL('./pom.xml', import.meta.url)),
  goal: ['dependency:unpack'],
});

/** Why no registry can be started on this machine, as a sentence; undefined if one can. */
export const whyNoRegistry = () => application.whyNot();

/** Starts a registry on a free port, with its schemas in memory. The first call downloads its archive (108 MB). */
export async function startRegistry() {
  const folder = await application.take();
  const jar = (await readdir(folder)).find((name) => name.endsWith('-runner.jar'));
  const child = spawn('java', [...JAVA, '-jar', join(folder, jar)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const dieWithUs = () => child.kill('SIGKILL');
  process.once('exit', dieWithUs);
  child.once('close', () => process.removeListener('exit', dieWithUs));
  const url = `${await addressOf(child)}${API}`;
  return {
    url,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const JAVA = [
  '-Xmx256m',
  '-XX:+UseSerialGC',
  // It runs for seconds: optimized compilation would cost more time than it saves.
  '-XX:TieredStopAtLevel=1',
  '-Dquarkus.http.host=127.0.0.1',
  '-Dquarkus.http.port=0',
  // Logs the address that it listens on.
  '-Dquarkus.log.category."io.quarkus".level=INFO',
];

function addressOf(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why) => {
      clearTimeout(tooLong);
      child.kill('SIGKILL');
      reject(new Error(`Apicurio Registry ${why}:\n${output}`));
    };
    const tooLong = setTimeout(() => fail(`did not start within ${START_MS_MAX} ms`), START_MS_MAX);
    child.once('error', (error) => fail(`could not be run (${error.message})`));
    child.once('close', (code) => fail(`ended with ${code}`));
    const read = (text) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
      const address = LISTENING.exec(output)?.[1];
      if (!address) return;
      clearTimeout(tooLong);
      resolve(address);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
  });
}
