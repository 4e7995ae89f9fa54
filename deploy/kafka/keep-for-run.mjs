// Runs one broker for all processes of a test run, until the run's main process has ended, also by a crash.
// Arguments: a folder for its data, the run's process id. Writes `address` or `failure` into the folder.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startKafka } from './broker.mjs';

const LOOK_INTERVAL_MS = 500;
const [folder, owner] = process.argv.slice(2);

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Readers poll for the file, so it must never exist with only a part of its content. */
async function writeState(name, text) {
  await writeFile(join(folder, `${name}.new`), text);
  await rename(join(folder, `${name}.new`), join(folder, name));
}

const starting = startKafka({ directory: join(folder, 'kafka') });
starting.then(
  ({ brokers }) => writeState('address', brokers),
  (error) => writeState('failure', error.message),
);
const looking = setInterval(() => {
  if (isAlive(Number(owner))) return;
  clearInterval(looking);
  void end();
}, LOOK_INTERVAL_MS);

async function end() {
  const kafka = await starting.catch(() => undefined);
  await kafka?.kill();
  await rm(folder, { recursive: true, force: true });
}
