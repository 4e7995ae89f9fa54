import { ASSETS_TOPIC, FINDINGS_TOPIC, SCORES_TOPIC } from '#libs/contracts';
import { INTAKE_TOPIC } from '#libs/intake';

/** The members of a group share the partitions of its topics. */
export interface ConsumerGroup {
  name: string;
  topics: readonly string[];
  /** Topics that its members publish. */
  outputs: readonly string[];
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
