// Runs one broker for all processes of a test run, until the run's own process is gone, however it went.
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

/** Readers look for the file, so it must never be there in part. */
async function tell(name, text) {
  await writeFile(join(folder, `${name}.new`), text);
  await rename(join(folder, `${name}.new`), join(folder, name));
}

const starting = startKafka({ directory: join(folder, 'kafka') });
starting.then(
  ({ brokers }) => tell('address', brokers),
  (error) => tell('failure', error.message),
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
