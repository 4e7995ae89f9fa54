import { ASSETS_TOPIC, FINDINGS_TOPIC, SCORES_TOPIC } from '#libs/contracts';
import { INTAKE_TOPIC, REFUSED_SIGNALS_TOPIC, SIGNALS_TOPIC } from '#libs/intake';

/** The members of a group share the partitions of its topics. */
export interface ConsumerGroup {
  name: string;
  topics: readonly string[];
  /** Topics that its members publish. */
  outputs: readonly string[];
  /** Largest batch; omitted: that of the log. */
  batchRecordsMax?: number;
}

/** Projectors: they fold the intake log. */
export const PROJECTORS: ConsumerGroup = {
  name: 'projector',
  topics: [INTAKE_TOPIC],
  outputs: [FINDINGS_TOPIC, ASSETS_TOPIC, 'posture.quarantine'],
};
/** Scorers: they score changes. */
export const SCORERS: ConsumerGroup = {
  name: 'scorer',
  topics: [FINDINGS_TOPIC, ASSETS_TOPIC],
  outputs: [SCORES_TOPIC],
};
/** Gateways: they take the signals of the inbox. Few at a time, because requests wait while they are read. */
export const INBOX: ConsumerGroup = {
  name: 'inbox',
  topics: [SIGNALS_TOPIC],
  outputs: [REFUSED_SIGNALS_TOPIC],
  batchRecordsMax: 200,
};
