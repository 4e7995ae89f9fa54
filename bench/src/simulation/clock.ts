/** Simulated time: events in the order of their times, those of one time in the order in which they were planned. */
export class Clock {
  /** Seconds. */
  now = 0;
  private readonly times: number[] = [];
  private readonly orders: number[] = [];
  private readonly events: (() => void)[] = [];
  private planned = 0;

  after(seconds: number, event: () => void): void {
    let at = this.times.length;
    const time = this.now + seconds;
    this.times.push(time);
    this.orders.push(this.planned++);
    this.events.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isBefore(at, parent)) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  /** Runs events until none is left; events can plan more. */
  run(): void {
    while (this.times.length > 0) this.takeFirst()();
  }

  private takeFirst(): () => void {
    this.now = this.times[0]!;
    const event = this.events[0]!;
    this.swap(0, this.times.length - 1);
    this.times.pop();
    this.orders.pop();
    this.events.pop();
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.times.length && this.isBefore(child, least)) least = child;
      }
      if (least === at) return event;
      this.swap(at, least);
      at = least;
    }
  }

  private isBefore(one: number, other: number): boolean {
    const difference = this.times[one]! - this.times[other]!;
    return difference < 0 || (difference === 0 && this.orders[one]! < this.orders[other]!);
  }

  private swap(one: number, other: number): void {
    for (const list of [this.times, this.orders, this.events] as unknown[][]) {
      [list[one], list[other]] = [list[other], list[one]];
    }
  }
}
