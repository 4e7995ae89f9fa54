import { Presets, SingleBar } from 'cli-progress';

/** One stretch of work whose size is known. */
export interface Phase {
  /** Done so far, in the phase's unit. */
  reach(done: number): void;
  /** Something that the user should see while it continues. */
  note(text: string): void;
  end(): void;
}

export interface Progress {
  phase(title: string, total: number, unit: string): Phase;
}

const silentPhase: Phase = { reach: () => {}, note: () => {}, end: () => {} };

/** A bar on a terminal, plain lines off it, nothing if the output is JSON. */
export function createProgress(stream: NodeJS.WritableStream & { isTTY?: boolean }, json: boolean): Progress {
  if (json) return { phase: () => silentPhase };
  return {
    phase: (title, total, unit) =>
      stream.isTTY ? barPhase(stream, title, total, unit) : linesPhase(stream, title, total, unit),
  };
}

function barPhase(stream: NodeJS.WritableStream, title: string, total: number, unit: string): Phase {
  const format = `${title.padEnd(10)} {bar} {value}/{total} ${unit} {note}`;
  const bar = new SingleBar({ stream, format, barsize: 30, hideCursor: true }, Presets.shades_classic);
  bar.start(total, 0, { note: '' });
  return {
    reach: (done) => bar.update(done, { note: '' }),
    note: (note) => bar.update({ note }),
    end: () => bar.stop(),
  };
}

/** Resets the terminal after a bar that was not ended: a bar hides the cursor and disables line wrapping. */
export function restoreTerminal(stream: NodeJS.WritableStream & { isTTY?: boolean }): void {
  if (stream.isTTY) stream.write('\x1b[?25h\x1b[?7h\n');
}

const LINES_MAX = 5;

function linesPhase(stream: NodeJS.WritableStream, title: string, total: number, unit: string): Phase {
  const line = (text: string) => stream.write(`${title}: ${text}\n`);
  let told = 0;
  line(`${total} ${unit}`);
  return {
    reach(done) {
      const share = Math.floor((done / Math.max(total, 1)) * LINES_MAX);
      if (share <= told) return;
      told = share;
      line(`${done} of ${total} ${unit}`);
    },
    note: line,
    end: () => {},
  };
}
