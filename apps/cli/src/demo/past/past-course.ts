import { ORGANIZATION_KEY } from '#libs/domain';
import {
  agentDescriptions,
  createRandom,
  type DemoSignal,
  type DemoSize,
  demoUploads,
  inventoryDescriptions,
  isDetection,
  pastScans,
  type Random,
} from '#libs/sample-data';
import {
  integrationsOf,
  openingActs,
  type PastIntegration,
  schedulesOff,
  shorterTimes,
} from './organization-acts.ts';
import { pastActs } from './past-acts.ts';
import type { PastAct, PastLog } from './past-log.ts';
import { promiseOf } from './past-scores.ts';
import type { SyncRow } from './past-syncs.ts';
import { AssetInventory, EdrPlatform } from './past-syncs.ts';
import { ADMIN } from './people.ts';
import { PastPlans } from './plan-acts.ts';
import { type Receipt, sendUpload } from './sent-uploads.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './times.ts';
import { adminTakes, triageActs } from './triage-acts.ts';

const WEEK_MS = 7 * DAY_MS;
/** Share of the past after which the times of the SLA become shorter. */
const SHORTER_AFTER = 0.3;
/** Share of the past after which the EDR platform is unavailable for some minutes. */
const FAILS_AFTER = 0.8;

/**
 * Tools report in the morning. A scan that replaces another runs in the night, so that the score has moved within the
 * last 24 hours whenever a user starts the demo on the next day.
 */
const UPLOAD_MS = 6 * HOUR_MS;
const NIGHT_MS = 23.5 * HOUR_MS;
const TRIAGE_MS = 14 * HOUR_MS;
/** On the last day, an admin asks for a sync, and then for no more. */
const MANUAL_SYNC_MS = 9 * HOUR_MS + 5 * MINUTE_MS;

/** What a day of the past brought. */
export interface PastDay {
  /** Midnight UTC, epoch ms. */
  day: number;
  /** Rows beside the log. */
  receipts: Receipt[];
  syncs: SyncRow[];
  /** Number of acts of users. */
  acts: number;
}

interface DueUpload {
  at: number;
  config: Record<string, unknown> | null;
  signals: () => Iterable<DemoSignal[]>;
  /** Days within which the EDR platform reports the detections; the others are in the ZIPs. */
  reportedWithinDays: number;
}

/** The day before the first scan: midnight UTC, epoch ms. @param days at least 7 */
export const firstDayOf = (size: DemoSize, days: number): number => pastScans(size, days)[0]!.day - DAY_MS;

/** The past of the demo organization, day by day: from the day before its first scan to its second day. */
export class PastCourse {
  /** Midnight UTC of its first day, epoch ms. */
  readonly firstDay: number;
  readonly integrations: { edr: PastIntegration; inventory: PastIntegration };
  private readonly weeks: number;
  private readonly firstScan: number;
  private readonly lastDay: number;
  private readonly random: Random;
  private readonly plans: PastPlans;
  private readonly edr: EdrPlatform;
  private readonly inventory: AssetInventory;
  private readonly uploads: Map<number, DueUpload[]>;

  /** @param days at least 7 */
  constructor(
    private readonly log: PastLog,
    size: DemoSize,
    days: number,
  ) {
    const { seed, secondDay } = size;
    const scans = pastScans(size, days);
    this.weeks = scans.length;
    this.firstScan = scans[0]!.day;
    this.firstDay = firstDayOf(size, days);
    this.lastDay = secondDay;
    this.random = createRandom(`${seed}/past/log`);
    this.integrations = integrationsOf(
      createRandom(`${seed}/past/integrations`),
      this.firstDay + 9 * HOUR_MS,
    );
    const { edr, inventory } = this.integrations;
    this.plans = new PastPlans(secondDay, this.weeks, createRandom(`${seed}/past/plans`));
    // Not on a day of the inventory: its sync would run between the repetitions.
    const failing = this.dayAfter(FAILS_AFTER);
    const failsOn = (failing - this.firstDay) % WEEK_MS === 0 ? failing + DAY_MS : failing;
    this.edr = new EdrPlatform(
      edr,
      agentDescriptions(size, days),
      { firstDay: this.firstScan, failsOn },
      seed,
    );
    this.inventory = new AssetInventory(
      inventory,
      inventoryDescriptions(size, days, inventory.source),
      this.firstDay + WEEK_MS,
    );
    this.uploads = dueUploads(size, scans);
  }

  /** Number of its days. */
  get days(): number {
    return (this.lastDay - this.firstDay) / DAY_MS + 1;
  }

  /** Appends day after day; the caller stores the rows of each day before it asks for the next. */
  async *write(): AsyncGenerator<PastDay> {
    for (let day = this.firstDay; day <= this.lastDay; day += DAY_MS) {
      const syncs = day >= this.firstScan ? await this.syncsOf(day) : [];
      const receipts = await this.uploadsBetween(day, 0, NIGHT_MS);
      if (day === this.lastDay) syncs.push(...(await this.lastSync(day)));
      const acts = await this.actOn(day);
      receipts.push(...(await this.uploadsBetween(day, NIGHT_MS, DAY_MS)));
      yield { day, receipts, syncs, acts };
    }
  }

  private async syncsOf(day: number): Promise<SyncRow[]> {
    const edr = await this.edr.syncOn(this.log, day, this.random);
    const freeAt = edr.at(-1)!.finished_at.getTime();
    return [...edr, ...(await this.inventory.syncOn(this.log, day, freeAt, this.random))];
  }

  /** @param from since midnight, ms @param to exclusive */
  private async uploadsBetween(day: number, from: number, to: number): Promise<Receipt[]> {
    const receipts: Receipt[] = [];
    for (const upload of this.uploads.get(day) ?? []) {
      if (upload.at < day + from || upload.at >= day + to) continue;
      receipts.push(...(await this.upload(day, upload)));
    }
    return receipts;
  }

  private async upload(
    day: number,
    { config, signals, at, reportedWithinDays }: DueUpload,
  ): Promise<Receipt[]> {
    const detections: DemoSignal[] = [];
    const others = function* () {
      for (const group of signals()) {
        detections.push(...group.filter(isDetection));
        yield group.filter((signal) => !isDetection(signal));
      }
    };
    const receipts = await sendUpload(this.log, { config, signals: others(), at }, this.random);
    this.edr.report(detections, day, reportedWithinDays);
    return receipts;
  }

  private async lastSync(day: number): Promise<SyncRow[]> {
    const id = this.random.uuid();
    const at = day + MANUAL_SYNC_MS;
    const integrationId = this.integrations.edr.id;
    const payload = { type: 'SyncRequested', integrationId, syncId: id, isFull: false } as const;
    await this.log.appendActs([
      { id: this.random.uuid(), user: ADMIN, entityKey: ORGANIZATION_KEY, at, payload },
    ]);
    return [await this.edr.syncNow(this.log, at, ADMIN, id)];
  }

  /** Acts in the order of their times; a later kind sees what the one before has done. */
  private async actOn(day: number): Promise<number> {
    const { log, random } = this;
    const sinceScan = (day - this.firstScan) % WEEK_MS;
    const isAfterScan = day > this.firstScan && day < this.lastDay - DAY_MS;
    const { edr, inventory } = this.integrations;
    const needEnd = log.organization.settings.sla?.exceptionsNeedEnd ?? false;
    const kinds: (false | (() => PastAct[]))[] = [
      day === this.firstDay && (() => openingActs([edr, inventory], day, random)),
      isAfterScan &&
        sinceScan === DAY_MS &&
        (() => pastActs(log.findings(day), day + UPLOAD_MS, random, { needEnd })),
      () => this.plans.actsOn(day, { findings: () => log.findings(day), promiseOf: this.promiseOf }),
      day === this.dayAfter(SHORTER_AFTER) && (() => shorterTimes(day, random)),
      isAfterScan &&
        sinceScan === 2 * DAY_MS &&
        (() => triageActs(log.findings(day), day + TRIAGE_MS, random)),
      day === this.lastDay && (() => adminTakes(log.findings(day), day + TRIAGE_MS, random)),
      day === this.lastDay && (() => schedulesOff([edr, inventory], day, random)),
    ];
    let count = 0;
    for (const kind of kinds) {
      const acts = kind === false ? [] : kind();
      await log.appendActs(acts);
      count += acts.length;
    }
    return count;
  }

  private readonly promiseOf = (ids: readonly string[], at: number) => promiseOf(this.log, ids, at);

  private dayAfter(share: number): number {
    return this.firstScan + Math.floor((share * (this.lastDay - this.firstScan)) / DAY_MS) * DAY_MS;
  }
}

/** By day: the weekly scans, and the two days of the demo without a past. */
function dueUploads(size: DemoSize, scans: ReturnType<typeof pastScans>): Map<number, DueUpload[]> {
  const [first, delta, rescan] = demoUploads(size);
  const { secondDay } = size;
  const firstDay = secondDay - DAY_MS;
  return new Map([
    ...scans.map(({ day, config, signals }): [number, DueUpload[]] => [
      day,
      [{ config, signals, at: day + UPLOAD_MS, reportedWithinDays: 7 }],
    ]),
    [firstDay, [{ ...first!, at: firstDay + UPLOAD_MS, reportedWithinDays: 1 }]],
    // The last sync of the second day has them.
    [
      secondDay,
      [
        { ...delta!, at: secondDay + UPLOAD_MS, reportedWithinDays: 0 },
        { ...rescan!, at: secondDay + NIGHT_MS, reportedWithinDays: 0 },
      ],
    ],
  ]);
}
