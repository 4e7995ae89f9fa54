import type { Clock } from './clock.ts';

/** Servers of one kind that share a queue, first come, first served. */
export class Station {
  /** Seconds that all servers together have worked. */
  busySeconds = 0;
  private free: number;
  private readonly waiting: { seconds: number; done: () => void }[] = [];
  private first = 0;

  constructor(
    private readonly clock: Clock,
    readonly servers: number,
  ) {
    this.free = servers;
  }

  /** @param done is called when a server has worked for these seconds */
  serve(seconds: number, done: () => void): void {
    if (this.free === 0) this.waiting.push({ seconds, done });
    else this.begin(seconds, done);
  }

  private begin(seconds: number, done: () => void): void {
    this.free--;
    this.busySeconds += seconds;
    this.clock.after(seconds, () => {
      this.free++;
      this.next();
      done();
    });
  }

  private next(): void {
    const next = this.waiting[this.first];
    if (!next) return;
    this.first++;
    if (2 * this.first > this.waiting.length) {
      this.waiting.splice(0, this.first);
      this.first = 0;
    }
    this.begin(next.seconds, next.done);
  }
}
