import { Module } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import type { Config } from '#libs/config';
import { DATABASE, type Database } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import {
  assertNoneStopped,
  type ConsumerServers,
  commonChecks,
  METRICS_TOKEN,
  READINESS,
  type Readiness,
} from '#libs/program';
import { CONFIG, CONSUMER_SERVERS } from '../tokens.ts';
import { GatewayHealthController } from './gateway-health.controller.ts';
import { GatewayMetricsController } from './gateway-metrics.controller.ts';

@Module({
  controllers: [GatewayHealthController, GatewayMetricsController],
  providers: [
    {
      provide: READINESS,
      inject: [EVENT_LOG, DATABASE, TRUSTED_CLOCK, CONSUMER_SERVERS],
      // Without the database, or with stopped partitions, uploads still go to the log.
      useFactory: (
        log: EventLog,
        db: Database['db'],
        clock: TrustedClock,
        consumers: ConsumerServers,
      ): Readiness => ({
        needed: ['log', 'clock'],
        checks: {
          ...commonChecks(log, db, clock),
          ...Object.fromEntries(
            Object.entries(consumers).map(([name, servers]) => [
              name,
              async () => assertNoneStopped(servers),
            ]),
          ),
        },
      }),
    },
    {
      provide: METRICS_TOKEN,
      inject: [CONFIG],
      useFactory: ({ metricsToken }: Config) => metricsToken ?? null,
    },
  ],
})
export class HealthModule {}
