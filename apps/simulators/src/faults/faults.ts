import type { Fault, FaultAct } from './fault.ts';

interface ArmedFault extends Fault {
  /** Matching requests so far. */
  seen: number;
}

const ARMED_MAX = 1_000;

/** Faults that wait for their requests. */
export class Faults {
  private armed: ArmedFault[] = [];

  /** @throws RangeError if a thousand wait already */
  arm(fault: Fault): void {
    if (this.armed.length === ARMED_MAX) throw new RangeError(`At most ${ARMED_MAX} faults can be armed.`);
    this.armed.push({ ...fault, seen: 0 });
  }

  clear(): void {
    this.armed = [];
  }

  /** Faults that can still apply to a request. */
  get waiting(): readonly Fault[] {
    return this.armed.map(({ seen: _, ...fault }) => fault);
  }

  /** The fault for a request; of several faults, the one that was set first. Each counts the request. */
  take(method: string, path: string): FaultAct | undefined {
    let act: FaultAct | undefined;
    for (const fault of this.armed) {
      if (!matches(fault, method, path)) continue;
      fault.seen += 1;
      if (fault.seen >= (fault.nth ?? 1)) act ??= fault.act;
    }
    this.armed = this.armed.filter((fault) => fault.seen < lastOf(fault));
    return act;
  }
}

const matches = (fault: Fault, method: string, path: string): boolean =>
  path.startsWith(fault.path) && (fault.method ?? method) === method;

const lastOf = ({ nth = 1, times = 1 }: Fault): number =>
  times === 'ever' ? Number.POSITIVE_INFINITY : nth + times - 1;
