/** What the command line touches of its process, given from outside so that tests can stand in. */
export interface Terminal {
  env: Record<string, string | undefined>;
  stdout: NodeJS.WritableStream;
  /** Progress and errors. */
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  /** Aborted where a signal ends the command. */
  interrupted?: AbortSignal;
}
