import { readConfig } from '#libs/config';
import { openProgram, type Program } from './open-program.ts';
import { startFailure } from './start-failure.ts';

/** npm sends a Ctrl-C again that the terminal has already sent: it is the same one. */
const SAME_SIGNAL_MS = 1_000;

function refuse(error: Error): never {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
}

export interface RunOptions<T> {
  /** As metrics and traces call it. */
  name: string;
  /** Start the embedded PostgreSQL if DATABASE_URL is not set. Only one program can use it. */
  allowEmbeddedDatabase: boolean;
  start: (program: Program) => Promise<T>;
  /** Called once, when everything runs. */
  onStarted: (started: T) => void;
}

/**
 * Runs a program in this process until SIGINT, SIGTERM or SIGHUP, then closes what it has opened and ends with 0;
 * with 1 and a sentence if the start fails or the program cannot continue; with 1 at once at a second signal.
 */
export async function runProgram<T>({
  name,
  allowEmbeddedDatabase,
  start,
  onStarted,
}: RunOptions<T>): Promise<void> {
  const opening = Promise.resolve().then(() =>
    openProgram({ name, config: readConfig(process.env), allowEmbeddedDatabase }),
  );
  const starting = opening.then(start);
  // From the first moment on: resources of an incomplete start must not outlive it.
  let isStopping = false;
  let signalledAt: number | undefined;
  const stop = async (): Promise<void> => {
    isStopping = true;
    await starting.catch(() => undefined);
    await (await opening).resources.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      signalledAt ??= performance.now();
      if (!isStopping) stop().then(() => process.exit(0), refuse);
      else if (performance.now() - signalledAt > SAME_SIGNAL_MS) process.exit(1);
    });
  }
  try {
    const { ended } = await opening;
    const started = await starting;
    if (isStopping) return;
    onStarted(started);
    const why = await ended;
    if (!isStopping) refuse(new Error(why));
  } catch (error) {
    if (isStopping) return;
    await stop().catch(() => undefined);
    refuse(error as Error);
  }
}
