import 'reflect-metadata';
import { readConfig } from '#libs/config';
import { banner } from './banner.ts';
import { startStandalone } from './standalone.ts';

/** A start that must stop says why in a sentence; a stack trace is for bugs. */
function refuse(error: Error): never {
  const isBug = error instanceof TypeError || error instanceof ReferenceError;
  process.stderr.write(`${isBug ? error.stack : error.message}\n`);
  process.exit(1);
}

const starting = Promise.resolve().then(() => startStandalone(readConfig(process.env)));

// From the first moment on: whatever a half-made start has opened must not outlive it.
let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    starting.then(({ stop }) => stop()).then(() => process.exit(0), refuse);
  });
}

try {
  const standalone = await starting;
  if (!isStopping) process.stdout.write(banner(standalone));
  void standalone.ended.then((why) => {
    if (!isStopping) refuse(new Error(why));
  });
} catch (error) {
  refuse(error as Error);
}
