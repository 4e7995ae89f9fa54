/** Progress lines; standard error, so that `--json` stays one document. */
export interface Progress {
  say(line: string): void;
}

export const progressOn = (stream: NodeJS.WritableStream): Progress => {
  const started = performance.now();
  return {
    say: (line) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(0).padStart(4);
      stream.write(`${seconds} s  ${line}\n`);
    },
  };
};
