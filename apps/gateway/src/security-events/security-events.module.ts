import { Module } from '@nestjs/common';
import type { Config } from '#libs/config';
import { PagingModule } from '../paging/paging.module.ts';
import { CONFIG } from '../tokens.ts';
import { SecurityEventsController } from './security-events.controller.ts';
import { SecurityEventsRepository } from './security-events.repository.ts';
import { SECURITY_EVENTS_DAYS, SecurityEvents } from './security-events.service.ts';

@Module({
  imports: [PagingModule],
  controllers: [SecurityEventsController],
  providers: [
    SecurityEventsRepository,
    SecurityEvents,
    {
      provide: SECURITY_EVENTS_DAYS,
      inject: [CONFIG],
      useFactory: ({ securityEventsDays }: Config) => securityEventsDays,
    },
  ],
  exports: [SECURITY_EVENTS_DAYS, SecurityEvents],
})
export class SecurityEventsModule {}
