/** The site that is simulated. A record is the signal of one finding. */
export interface SimulatedSite {
  assets: number;
  findings: number;
  /** Each finding is sent again in this time, in a busy window of 8 hours a day and, at a third of its rate, outside. */
  resentDays: number;
  /** Share of the records that are new findings or changes. */
  changedShare: number;
  partitions: number;
  /** Programs, each with one core. A projector folds its share of the partitions. */
  gateways: number;
  projectors: number;
  scorers: number;
  brokers: number;
  brokerCores: number;
  postgresCores: number;
  /** Of the database's volumes together; a page takes `pageSeconds`. */
  diskPagesPerSecond: number;
  pageSeconds: number;
  /** Setting: uploads get a 429 while the fold is further behind. */
  maxLagSeconds: number;
}

/** Half a million assets with a thousand findings each, all scanned daily. */
export const LARGE_SITE: SimulatedSite = {
  assets: 500_000,
  findings: 500_000_000,
  resentDays: 1,
  changedShare: 0.01,
  partitions: 192,
  gateways: 100,
  projectors: 48,
  scorers: 48,
  brokers: 6,
  brokerCores: 4,
  postgresCores: 64,
  diskPagesPerSecond: 64_000,
  pageSeconds: 0.0007,
  maxLagSeconds: 300,
};

const BUSY_HOURS = 8;
/** Outside of the busy hours, relative to them. */
const QUIET_RATE = 1 / 3;

/** Records a second in the busy hours. */
export const busyRate = ({ findings, resentDays }: SimulatedSite): number =>
  findings / resentDays / (3_600 * (BUSY_HOURS + QUIET_RATE * (24 - BUSY_HOURS)));
