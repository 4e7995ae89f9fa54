import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/** The slowest paths, longest first, each with all files below it; some forty seconds and more on two cores. */
const LONGEST = [
  'apps/gateway/src/paging/queries.plan.spec.ts',
  'test/e2e/clocks.spec.ts',
  'test/openapi/',
  'apps/gateway/src/notifications/notifications.http.spec.ts',
  'libs/replay/src/replay.spec.ts',
  'test/e2e/problem-notifications.spec.ts',
  'apps/gateway/src/sign-ins/sign-ins.http.spec.ts',
  'test/faults/faults.spec.ts',
  'test/e2e/log-move.spec.ts',
  'test/abuse/abuse.spec.ts',
  'test/rules/',
  'test/console/',
  'test/e2e/',
  'libs/replay/src/checkpoint-site.spec.ts',
  'test/consumers/',
  'test/faults/',
  'test/deploy/',
  'libs/event-log/src/kafka/kafka-faults.spec.ts',
  'libs/event-log/src/kafka/kafka-event-log.spec.ts',
  'libs/replay/',
  'test/upgrade/',
  'test/',
];

const rankOf = ({ path, context }) => {
  const file = relative(context.config.rootDir, path);
  const rank = LONGEST.findIndex((longest) => file.startsWith(longest));
  return rank < 0 ? LONGEST.length : rank;
};

/**
 * Jest starts the largest files first without durations of an earlier run, as in CI. Here a small file may start a
 * cluster: started last, it would run for minutes while other workers are idle.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isKnown = sorted.some(({ duration }) => duration !== undefined);
    return isKnown ? sorted : sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}
