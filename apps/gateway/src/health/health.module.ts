import { Module } from '@nestjs/common';
import { TRUSTED_CLOCK, type TrustedClock } from '#libs/clock';
import type { Config } from '#libs/config';
import { DATABASE, type Database } from '#libs/database';
import { type BatchServer, EVENT_LOG, type EventLog } from '#libs/event-log';
import { assertNoneStopped, commonChecks, METRICS_TOKEN, READINESS, type Readiness } from '#libs/program';
import { CONFIG, INBOX_SERVER } from '../tokens.ts';
import { GatewayHealthController } from './gateway-health.controller.ts';
import { GatewayMetricsController } from './gateway-metrics.controller.ts';

@Module({
  controllers: [GatewayHealthController, GatewayMetricsController],
  providers: [
    {
      provide: READINESS,
      inject: [EVENT_LOG, DATABASE, TRUSTED_CLOCK, INBOX_SERVER],
      // Without the database, or with a stopped inbox, uploads still go to the log.
      useFactory: (
        log: EventLog,
        db: Database['db'],
        clock: TrustedClock,
        inbox: Pick<BatchServer, 'stopped'> | null,
      ): Readiness => ({
        needed: ['log', 'clock'],
        checks: {
          ...commonChecks(log, db, clock),
          ...(inbox && { inbox: async () => assertNoneStopped(inbox) }),
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
