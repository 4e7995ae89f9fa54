import type { backtest } from '#libs/domain';

/** What is compared with the forecasts. They are never mixed: each answers another question. */
export const TARGETS = ['cveListed', 'assetListed', 'assetDetected'] as const;
export type Target = (typeof TARGETS)[number];

/** Why something is not among the outcomes. */
export type LeftOutReason = 'listedBefore' | 'unscored' | 'openDetection';

export interface LeftOut {
  outcomes: number;
  events: number;
}

/** What was forecast and what came, of one target. */
export class TargetCases {
  readonly leftOut = new Map<LeftOutReason, LeftOut>();
  private readonly byContent = new Map<string, backtest.Case>();
  private readonly sources = new Set<string>();
  private counted = { outcomes: 0, events: 0 };
  private earlierRate: number | null = null;

  get cases(): backtest.Case[] {
    return [...this.byContent.values()];
  }

  /** Of events that come together there is one: a CVE that is on many assets is listed once. */
  get independentEvents(): number {
    return this.sources.size;
  }

  /** To be called before each window: what is known until then is the rate of the earlier ones. */
  beginWindow(): void {
    const { outcomes, events } = this.counted;
    this.earlierRate = outcomes === 0 ? null : events / outcomes;
  }

  /** @param sources of the event, such as the listed CVEs; none if it did not happen */
  add(unit: string, forecasts: backtest.Forecasts, sources: readonly string[]): void {
    const isEvent = sources.length > 0;
    for (const source of sources) this.sources.add(source);
    this.counted.outcomes += 1;
    this.counted.events += isEvent ? 1 : 0;
    const { earlierRate } = this;
    const content = [unit, isEvent, earlierRate, ...Object.values(forecasts)].join();
    const known = this.byContent.get(content);
    if (known) known.count += 1;
    else this.byContent.set(content, { unit, forecasts, isEvent, count: 1, earlierRate });
  }

  leaveOut(reason: LeftOutReason, isEvent: boolean): void {
    const known = this.leftOut.get(reason) ?? { outcomes: 0, events: 0 };
    this.leftOut.set(reason, {
      outcomes: known.outcomes + 1,
      events: known.events + (isEvent ? 1 : 0),
    });
  }
}

export type CasesByTarget = Record<Target, TargetCases>;

export const noCases = (): CasesByTarget => ({
  cveListed: new TargetCases(),
  assetListed: new TargetCases(),
  assetDetected: new TargetCases(),
});
