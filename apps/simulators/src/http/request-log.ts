import type { ReceivedRequest } from './answer.ts';

export interface LoggedRequest {
  /** Counted from 1. */
  number: number;
  /** By the clock of the simulators, ISO 8601. */
  at: string;
  method: string;
  path: string;
  /** The request: query and JSON body, lists in the body by their length; no form and no header. */
  asked: Record<string, unknown>;
  /** Null if the answer was cut. */
  status: number | null;
  /** The fault that was applied to it. */
  fault: string | null;
}

const ENTRIES_MAX = 10_000;

/** The request log: the last requests, and the number for each endpoint since it was last cleared. */
export class RequestLog {
  private readonly entries: LoggedRequest[] = [];
  private readonly counts = new Map<string, number>();
  private total = 0;

  constructor(private readonly nowMs: () => number) {}

  add(
    pattern: string,
    { method, path, query, body }: ReceivedRequest,
    { status, fault }: Pick<LoggedRequest, 'status' | 'fault'>,
  ): void {
    this.total += 1;
    const name = `${method} ${pattern}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    const asked = { ...Object.fromEntries(query), ...digest(body) };
    this.entries.push({
      number: this.total,
      at: new Date(this.nowMs()).toISOString(),
      method,
      path,
      asked,
      status,
      fault,
    });
    if (this.entries.length > ENTRIES_MAX) this.entries.shift();
  }

  get requests(): readonly LoggedRequest[] {
    return [...this.entries];
  }

  /** By method and pattern, `GET /api/devices/:id` for example. */
  get countByEndpoint(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }

  clear(): void {
    this.entries.length = 0;
    this.counts.clear();
  }
}

function digest(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || body instanceof URLSearchParams) return {};
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      Array.isArray(value) ? `${value.length} items` : value,
    ]),
  );
}
