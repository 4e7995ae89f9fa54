import { parseSignal } from '#libs/contracts';
import type { Settings, Signal, SignalContext } from '#libs/domain';
import { syncScope } from '#libs/integration-store';
import { type PulledSignal, readPulledSignal } from '#libs/integrations';
import { createRandom, type DemoSignal, type DescribedMachine, type Random } from '#libs/sample-data';
import { syncUploadId } from '#libs/uploads';
import type { PastIntegration } from './organization-acts.ts';
import type { PastLog, PastUpload } from './past-log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './times.ts';

/** 01:15 UTC, as the schedule of the service. */
const RUN_OF_DAY_MS = HOUR_MS + 15 * MINUTE_MS;
const DAYS_OF_WEEK = 7;
/** Times of a sync. */
const START_MS = 400;
const PAGE_MS = 1_500;
const PAGE_SIZE = 1_000;

/** A row of `syncs` that has ended. */
export interface SyncRow {
  id: string;
  integration_id: string;
  action: 'manual' | 'scheduled';
  is_full: boolean;
  scope: string;
  requested_by: string | null;
  requested_at: Date;
  started_at: Date;
  finished_at: Date;
  stage: 'COMPLETED' | 'ERROR';
  percent: number;
  status: 0 | 2;
  counts: string;
  errors: string;
  watermark: string | null;
  retry: number;
  uploads: number;
}

/** What a platform answers. */
interface Page {
  records: number;
  ignored: Record<string, number>;
  signals: PulledSignal[];
}

interface Run {
  at: number;
  /** The end of the sync that the collector runs before it; omitted: it does not wait. */
  waitsUntil?: number;
  action: SyncRow['action'];
  isFull: boolean;
  requestedBy: string | null;
  retry: number;
}

interface Connection {
  integration: PastIntegration;
  rules: SignalContext['rules'];
  isEdrInventory: boolean;
  watermarkAt: (at: number) => string | null;
}

/** Runs a sync as the collector does: each page that has signals is an upload of the log. */
async function runSync(
  log: PastLog,
  { integration, rules, isEdrInventory, watermarkAt }: Connection,
  run: Run,
  pages: readonly Page[],
  id: string,
): Promise<SyncRow> {
  let uploads = 0;
  const started = Math.max(run.at, run.waitsUntil ?? 0) + START_MS;
  let at = started;
  for (const { signals } of pages) {
    at += PAGE_MS;
    if (signals.length === 0) continue;
    uploads += 1;
    const { settings } = log.organization;
    await log.appendUpload({
      uploadId: syncUploadId(id, uploads),
      kind: 'sync',
      syncId: id,
      user: run.requestedBy,
      requestId: null,
      at,
      signals: signals.map((signal) =>
        readPulled(signal, { receivedAt: at, rules, isEdrInventory, settings }),
      ),
      fullAssessmentForTypes: [],
      assetMatchingCriteria: [],
    });
  }
  const ignored: Record<string, number> = {};
  for (const page of pages) {
    for (const [reason, count] of Object.entries(page.ignored))
      ignored[reason] = (ignored[reason] ?? 0) + count;
  }
  return {
    ...rowOf(integration, run, id),
    started_at: new Date(started),
    finished_at: new Date(at + PAGE_MS),
    stage: 'COMPLETED',
    percent: 100,
    status: 0,
    counts: JSON.stringify({
      pages: pages.length,
      records: sum(pages.map(({ records }) => records)),
      signals: sum(pages.map(({ signals }) => signals.length)),
      ignored,
      failed: 0,
      notices: [],
    }),
    errors: '[]',
    watermark: watermarkAt(started),
    uploads,
  };
}

/** The platform was unavailable: nothing was pulled. @param watermark of the sync before */
function failedSync({ integration }: Connection, run: Run, watermark: string | null, id: string): SyncRow {
  const failures = ['hosts page 1', 'alerts page 1'].map((what) => ({ what, message: UNAVAILABLE }));
  const counts = { pages: 2, records: 0, signals: 0, ignored: {}, failed: failures.length, notices: [] };
  return {
    ...rowOf(integration, run, id),
    started_at: new Date(run.at + START_MS),
    finished_at: new Date(run.at + FAILURE_MS),
    stage: 'ERROR',
    percent: 0,
    status: 2,
    counts: JSON.stringify(counts),
    errors: JSON.stringify(failures),
    watermark,
    uploads: 0,
  };
}

/** As of a pull that the platform answers with errors until all attempts are used. */
const UNAVAILABLE = 'the platform failed (status 503); 16 attempts failed';
const FAILURE_MS = 17 * MINUTE_MS;
/** After the end of a failed sync, and of its first repetition. */
const REPEATED_AFTER_MS = [5 * MINUTE_MS, 15 * MINUTE_MS] as const;

const rowOf = (
  integration: PastIntegration,
  { at, action, isFull, requestedBy, retry }: Run,
  id: string,
) => ({
  id,
  integration_id: integration.id,
  action,
  is_full: isFull,
  scope: syncScope(integration),
  requested_by: requestedBy,
  requested_at: new Date(at),
  retry,
});

function readPulled(
  signal: PulledSignal,
  context: { receivedAt: number; rules: SignalContext['rules']; isEdrInventory: boolean; settings: Settings },
): PastUpload['signals'][number] {
  const read = readPulledSignal(signal, context);
  if (!read.ok) throw new Error(`${signal.name} of the demo: ${JSON.stringify(read.problems)}`);
  return { entityKey: read.entityKey, payload: read.payload, entry: null };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The EDR platform of the past: its hosts, and the detections that agents reported so far. */
export class EdrPlatform {
  /** Detections by entity key, as reported last. */
  private readonly alerts = new Map<string, PulledSignal[]>();
  private readonly reports: { at: number; entityKey: string; alerts: PulledSignal[] }[] = [];
  private readonly connection: Connection;
  private watermark: string | null = null;

  /**
   * @param firstDay midnight UTC of its first sync, epoch ms
   * @param failsOn midnight UTC of the day on which it is unavailable
   */
  constructor(
    integration: PastIntegration,
    private readonly hosts: readonly DescribedMachine[],
    private readonly days: { firstDay: number; failsOn: number },
    private readonly seed: string,
  ) {
    this.connection = {
      integration,
      rules: { importAssets: true, updateMetadata: true, overrideAccepted: false },
      isEdrInventory: true,
      watermarkAt: (at) => JSON.stringify({ hosts: iso(at - 3 * MINUTE_MS), alerts: iso(at - MINUTE_MS) }),
    };
  }

  /**
   * Agents report the detections of a scan within a number of days, each on a day of its own.
   * @param day midnight UTC, epoch ms
   */
  report(detections: readonly DemoSignal[], day: number, withinDays: number): void {
    const byEntity = new Map<string, PulledSignal[]>();
    for (const one of detections) {
      byEntity.set(one.entityKey, [...(byEntity.get(one.entityKey) ?? []), parsed(one)]);
    }
    for (const [entityKey, alerts] of byEntity) {
      const delay = createRandom(`${this.seed}/reports/${day}/${entityKey}`).integer(
        Math.min(1, withinDays),
        withinDays,
      );
      this.reports.push({ at: day + delay * DAY_MS, entityKey, alerts });
    }
  }

  /** The scheduled sync of a day; on one day, the platform is unavailable until the second repetition. */
  async syncOn(log: PastLog, day: number, random: Random): Promise<SyncRow[]> {
    const isFull = (day - this.days.firstDay) % (DAYS_OF_WEEK * DAY_MS) === 0;
    const run: Run = { at: day + RUN_OF_DAY_MS, action: 'scheduled', isFull, requestedBy: null, retry: 0 };
    if (day !== this.days.failsOn) return [await this.sync(log, run, random.uuid())];
    const again = { ...run, at: run.at + FAILURE_MS + REPEATED_AFTER_MS[0], retry: 1 };
    const third = { ...run, at: again.at + FAILURE_MS + REPEATED_AFTER_MS[1], retry: 2 };
    return [
      failedSync(this.connection, run, this.watermark, random.uuid()),
      failedSync(this.connection, again, this.watermark, random.uuid()),
      await this.sync(log, third, random.uuid()),
    ];
  }

  /** A sync that a user asks for, of what is new. */
  syncNow(log: PastLog, at: number, user: string, id: string): Promise<SyncRow> {
    return this.sync(log, { at, action: 'manual', isFull: false, requestedBy: user, retry: 0 }, id);
  }

  private async sync(log: PastLog, run: Run, id: string): Promise<SyncRow> {
    const fresh = this.reportedUntil(run.at);
    const hosts = run.isFull
      ? this.hosts.filter(({ since }) => since < run.at).map(({ signal }) => signal)
      : [];
    const alerts = run.isFull ? [...this.alerts.values()].flat() : fresh;
    const pages = [...pagesOf(hosts), ...pagesOf(alerts)];
    const row = await runSync(log, this.connection, run, pages, id);
    this.watermark = row.watermark;
    return row;
  }

  private reportedUntil(at: number): PulledSignal[] {
    const fresh: PulledSignal[] = [];
    for (let i = 0; i < this.reports.length; ) {
      const report = this.reports[i]!;
      if (report.at > at) {
        i += 1;
        continue;
      }
      this.reports.splice(i, 1);
      this.alerts.set(report.entityKey, report.alerts);
      fresh.push(...report.alerts);
    }
    return fresh;
  }
}

const iso = (at: number): string => new Date(at).toISOString();

function parsed({ content, entryName }: DemoSignal): Signal {
  const read = parseSignal(content);
  if (!read.ok) throw new Error(`${entryName} of the demo: ${JSON.stringify(read.problems)}`);
  return read.signal;
}

/** A platform with nothing new still returns a page. */
function pagesOf(signals: readonly PulledSignal[]): Page[] {
  const pages: Page[] = [];
  for (let from = 0; from === 0 || from < signals.length; from += PAGE_SIZE) {
    const some = signals.slice(from, from + PAGE_SIZE);
    pages.push({ records: sum(some.map(recordsOf)), ignored: {}, signals: some });
  }
  return pages;
}

/** A host, or the detections that are instances of one finding. */
const recordsOf = ({ securityContexts }: Signal): number => securityContexts?.length ?? 1;

/** The asset inventory of the past: metadata of machines that the service knows. */
export class AssetInventory {
  private readonly connection: Connection;
  private readonly surfaces: ReadonlySet<string>;

  constructor(
    integration: PastIntegration,
    private readonly devices: readonly DescribedMachine[],
    private readonly firstDay: number,
  ) {
    this.surfaces = new Set(integration.config.attackSurfaceTypes as string[]);
    this.connection = {
      integration,
      rules: { importAssets: false, updateMetadata: true, overrideAccepted: false },
      isEdrInventory: false,
      watermarkAt: () => null,
    };
  }

  /** Each week; always everything. @param waitsUntil end of the sync that was requested before it */
  async syncOn(log: PastLog, day: number, waitsUntil: number, random: Random): Promise<SyncRow[]> {
    if (day < this.firstDay || (day - this.firstDay) % (DAYS_OF_WEEK * DAY_MS) !== 0) return [];
    const at = day + RUN_OF_DAY_MS;
    const known = new Map(
      log
        .assets()
        .map(({ entityKey, asset }) => [entityKey, (asset.typing ?? asset.defaults.typing).attackSurface]),
    );
    const found = this.devices.filter(({ entityKey }) => known.has(entityKey));
    const wanted = found.filter(({ entityKey }) => this.surfaces.has(known.get(entityKey)!));
    const unmatched = this.devices.length - found.length;
    const otherAttackSurface = found.length - wanted.length;
    const page: Page = {
      records: this.devices.length,
      ignored: { ...(unmatched > 0 && { unmatched }), ...(otherAttackSurface > 0 && { otherAttackSurface }) },
      signals: wanted.map(({ signal }) => signal),
    };
    const run: Run = { at, waitsUntil, action: 'scheduled', isFull: true, requestedBy: null, retry: 0 };
    return [await runSync(log, this.connection, run, splitPage(page), random.uuid())];
  }
}

const splitPage = ({ records, ignored, signals }: Page): Page[] => {
  const pages = pagesOf(signals);
  pages[0] = { ...pages[0]!, ignored, records: pages[0]!.records + records - signals.length };
  return pages;
};
