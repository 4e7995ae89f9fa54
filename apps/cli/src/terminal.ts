/** The parts of the process that the command line uses, injected so that tests can replace them. */
export interface Terminal {
  env: Record<string, string | undefined>;
  stdout: NodeJS.WritableStream;
  /** Progress and errors. */
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  /** Aborted if a signal ends the command. */
  interrupted?: AbortSignal;
}
