import { createRandom, type Random } from '#libs/sample-data';
import { Clock } from './clock.ts';
import type { ServiceTimes } from './service-times.ts';
import { busyRate, type SimulatedSite } from './simulated-site.ts';
import { Station } from './station.ts';

/** Records of a ZIP, all of one asset. */
const UPLOAD_RECORDS_MAX = 850;
/** About a megabyte, as a projector fetches. */
const BATCH_RECORDS_MAX = 800;
/** One asset of ten thousand has so many findings. */
const LARGE_ASSET_FINDINGS = 50_000;
const LARGE_ASSETS_SHARE = 1e-4;
/** As the gateway answers (fold-lag.ts). */
const RETRY_SECONDS_MAX = 60;
/** Pages of 8 KB that are not in memory: times of 0.5 KB with the digest of a finding lie beside those of the same asset. */
const PAGES_READ = 0.5 / 8;
/** Rows of 2.1 KB are read, and rows, history and times of 5.3 KB written, beside each other; three places in indexes are not. */
const PAGES_CHANGED = (2.1 + 5.3) / 8 + 3;

export interface Simulated {
  /** All that were sent in the busy hours; each is in `delays`. */
  uploads: number;
  records: number;
  /** Answers with 429; each upload is sent again. */
  refused: number;
  /** Seconds of each upload that was sent before the outage, or of all if there is none. */
  delays: Record<'answered' | 'queryable' | 'scored', readonly number[]>;
  /** Share of the time of the busy hours in which each kind of server works. */
  use: Record<'gateways' | 'kafka' | 'projectors' | 'postgres' | 'disk' | 'scorers', number>;
  /** Records in the log that wait for the fold, at most. */
  backlogMax: number;
  /** Largest lag in seconds. */
  lagMax: number;
  /** Seconds after the outage until no upload is refused any more, until the fold is a minute behind at most, and until
   * every upload that was sent during the outage is queryable. */
  recovery: { accepted: number; current: number; whole: number } | null;
}

export interface SimulationOptions {
  seed: string;
  /** Simulated busy hours. */
  hours: number;
  /** No projector runs in this time, in hours from the start. */
  outage?: { from: number; to: number };
}

interface Upload {
  sentAt: number;
  records: number;
  changed: number;
  partition: number;
  /** Plans the next upload of the same scan. */
  next: () => void;
}

/** A queue of uploads in the log, which one fold reads. */
interface Partition {
  projector: Station;
  waiting: { upload: Upload; appendedAt: number }[];
  isFolding: boolean;
}

/**
 * Busy hours of a site. Scans begin at random; a scan sends its ZIPs one after the other, to any gateway, and all go to
 * the partition of its asset. A partition folds one batch after the other: its projector's thread, then PostgreSQL's
 * processor and disk, then the commit. The scorer follows. Everything else, such as JSON signals and readers, is left out.
 */
export function simulate(
  site: SimulatedSite,
  times: ServiceTimes,
  { seed, hours, outage }: SimulationOptions,
): Simulated {
  const random = createRandom(seed);
  const clock = new Clock();
  const stations = (count: number) => Array.from({ length: count }, () => new Station(clock, 1));
  const gateways = stations(site.gateways);
  const projectors = stations(site.projectors);
  const scorers = stations(site.scorers);
  const kafka = new Station(clock, site.brokers * site.brokerCores);
  const postgres = new Station(clock, site.postgresCores);
  const disk = new Station(clock, Math.max(1, Math.round(site.diskPagesPerSecond * site.pageSeconds)));
  const partitions = Array.from(
    { length: site.partitions },
    (_, i): Partition => ({ projector: projectors[i % site.projectors]!, waiting: [], isFolding: false }),
  );
  const end = hours * 3_600;
  const [outageFrom, outageTo] = outage ? [outage.from * 3_600, outage.to * 3_600] : [end, end];
  const isOut = () => clock.now >= outageFrom && clock.now < outageTo;
  const sentBefore = outage ? outageFrom : Number.POSITIVE_INFINITY;
  const delays = { answered: [] as number[], queryable: [] as number[], scored: [] as number[] };
  const recovery = { accepted: 0, current: 0, whole: 0 };
  let [uploads, records, refused, backlog, backlogMax, lagMax] = [0, 0, 0, 0, 0, 0];

  const note = (list: number[], sentAt: number) => {
    if (sentAt < sentBefore) list.push(clock.now - sentAt);
  };
  const sinceOutage = () => Math.max(0, clock.now - outageTo);
  const lag = () =>
    partitions.reduce((most, { waiting: [oldest] }) => {
      return oldest ? Math.max(most, clock.now - oldest.appendedAt) : most;
    }, 0);

  function send(upload: Upload): void {
    const excess = lag() - site.maxLagSeconds;
    if (excess > 0) {
      refused++;
      recovery.accepted = sinceOutage();
      clock.after(Math.min(Math.ceil(excess), RETRY_SECONDS_MAX) + random.next(), () => send(upload));
      return;
    }
    const work = workOf(upload, times);
    random.pick(gateways).serve(work.gateway * jitter(random), () =>
      kafka.serve(work.kafka * jitter(random), () => {
        note(delays.answered, upload.sentAt);
        upload.next();
        append(upload);
      }),
    );
  }

  function append(upload: Upload): void {
    const partition = partitions[upload.partition]!;
    partition.waiting.push({ upload, appendedAt: clock.now });
    backlog += upload.records;
    backlogMax = Math.max(backlogMax, backlog);
    fold(partition);
  }

  function fold(partition: Partition): void {
    if (partition.isFolding || partition.waiting.length === 0) return;
    if (isOut()) {
      clock.after(outageTo - clock.now, () => fold(partition));
      return;
    }
    partition.isFolding = true;
    const oldest = clock.now - partition.waiting[0]!.appendedAt;
    lagMax = Math.max(lagMax, oldest);
    if (oldest > 60) recovery.current = sinceOutage();
    const batch = nextBatch(partition);
    const work = workOf(batch, times);
    partition.projector.serve(work.projector * jitter(random), () =>
      postgres.serve(work.postgres * jitter(random), () =>
        disk.serve(work.pages * site.pageSeconds, () =>
          clock.after(times.commit, () => {
            for (const { upload } of partition.waiting.splice(0, batch.uploads)) folded(upload);
            backlog -= batch.records;
            partition.isFolding = false;
            fold(partition);
          }),
        ),
      ),
    );
  }

  function folded(upload: Upload): void {
    note(delays.queryable, upload.sentAt);
    if (upload.sentAt < outageTo) recovery.whole = sinceOutage();
    const seconds = workOf(upload, times).scorer * jitter(random);
    scorers[upload.partition % site.scorers]!.serve(seconds, () => note(delays.scored, upload.sentAt));
  }

  const findingsOfAsset = site.findings / site.assets;
  const scansPerSecond = busyRate(site) / meanFindings(findingsOfAsset);
  const beginScan = () => {
    const findings = random.chance(LARGE_ASSETS_SHARE)
      ? LARGE_ASSET_FINDINGS
      : Math.max(1, Math.round(-Math.log(1 - random.next()) * findingsOfAsset));
    const partition = random.integer(0, site.partitions - 1);
    const sendFrom = (sent: number) => {
      if (sent >= findings) return;
      const count = Math.min(UPLOAD_RECORDS_MAX, findings - sent);
      uploads++;
      records += count;
      send({
        ...{ sentAt: clock.now, records: count, partition },
        changed: Math.round(count * site.changedShare),
        next: () => sendFrom(sent + count),
      });
    };
    sendFrom(0);
    const pause = -Math.log(1 - random.next()) / scansPerSecond;
    if (clock.now + pause < end) clock.after(pause, beginScan);
  };
  beginScan();
  clock.run();

  const useOf = (...all: Station[]) => {
    const busy = all.reduce((sum, { busySeconds }) => sum + busySeconds, 0);
    return busy / (end * all.reduce((sum, { servers }) => sum + servers, 0));
  };
  return {
    ...{ uploads, records, refused, delays, backlogMax, lagMax },
    use: {
      gateways: useOf(...gateways),
      kafka: useOf(kafka),
      projectors: useOf(...projectors),
      postgres: useOf(postgres),
      disk: useOf(disk),
      scorers: useOf(...scorers),
    },
    recovery: outage ? recovery : null,
  };
}

/** Whole uploads that are folded in one transaction. */
function nextBatch({ waiting }: Partition) {
  const batch = { uploads: 0, records: 0, changed: 0 };
  for (const { upload } of waiting) {
    if (batch.uploads > 0 && batch.records + upload.records > BATCH_RECORDS_MAX) break;
    batch.uploads++;
    batch.records += upload.records;
    batch.changed += upload.changed;
  }
  return batch;
}

function workOf(
  { records, changed }: { records: number; changed: number },
  { changed: whenChanged, unchanged: otherwise }: ServiceTimes,
) {
  const unchanged = records - changed;
  const of = (program: keyof typeof whenChanged) =>
    changed * whenChanged[program] + unchanged * otherwise[program];
  return {
    gateway: of('gateway'),
    kafka: of('kafka'),
    projector: of('projector'),
    postgres: of('postgres'),
    scorer: of('scorer'),
    pages: records * PAGES_READ + changed * PAGES_CHANGED,
  };
}

/** Measured rounds differ by a quarter. */
const jitter = (random: Random): number => 0.75 + random.next() / 2;

const meanFindings = (usual: number): number =>
  (1 - LARGE_ASSETS_SHARE) * usual + LARGE_ASSETS_SHARE * LARGE_ASSET_FINDINGS;
