/** The server of this run; setup and teardown are loaded as one program, the spec files are not. */
interface RunningServer {
  stop(): Promise<void>;
  removeFiles(): Promise<void>;
}

const SIGNALS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;

let running: RunningServer | undefined;

/** Takes the server down with the run, also if Ctrl-C ends it: PostgreSQL does not get that signal. */
export function keepRunning(server: RunningServer): void {
  running = server;
  for (const [name, number] of Object.entries(SIGNALS)) {
    process.once(name, () => {
      void stopRunning().finally(() => process.exit(128 + number));
    });
  }
}

export async function stopRunning(): Promise<void> {
  const server = running;
  running = undefined;
  await server?.stop();
  await server?.removeFiles();
}
