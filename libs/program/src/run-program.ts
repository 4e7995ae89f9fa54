import { readConfig } from '#libs/config';
import { openProgram, type Program } from './open-program.ts';
import { startFailure } from './start-failure.ts';

function refuse(error: Error): never {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
}

export interface RunOptions<T> {
  /** As metrics and traces call it. */
  name: string;
  /** May start the embedded PostgreSQL where no DATABASE_URL is set; one program alone can. */
  mayEmbed: boolean;
  start: (program: Program) => Promise<T>;
  /** Told once, when everything runs. */
  onStarted: (started: T) => void;
}

/**
 * Runs a program in this process until SIGINT, SIGTERM or SIGHUP, then closes what it has opened and ends with 0;
 * with 1 and a sentence where the start fails or the program cannot go on.
 */
export async function runProgram<T>({ name, mayEmbed, start, onStarted }: RunOptions<T>): Promise<void> {
  const opening = Promise.resolve().then(() =>
    openProgram({ name, config: readConfig(process.env), mayEmbed }),
  );
  const starting = opening.then(start);
  // From the first moment on: whatever a half-made start has opened must not outlive it.
  let isStopping = false;
  const stop = async (): Promise<void> => {
    isStopping = true;
    await starting.catch(() => undefined);
    await (await opening).resources.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!isStopping) stop().then(() => process.exit(0), refuse);
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
