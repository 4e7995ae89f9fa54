import { Module } from '@nestjs/common';
import { ProjectionModule } from '../projection/projection.module.ts';
import { SecurityEventsModule } from '../security-events/security-events.module.ts';
import { ActOriginsRepository } from './act-origins.repository.ts';
import { ActOrigins } from './act-origins.service.ts';
import { ActsRepository } from './acts.repository.ts';
import { ActsService } from './acts.service.ts';
import { NextActLook } from './next-act-look.ts';

@Module({
  imports: [ProjectionModule, SecurityEventsModule],
  providers: [ActOriginsRepository, ActOrigins, ActsRepository, ActsService, NextActLook],
  exports: [ActOriginsRepository, ActsService, NextActLook],
})
export class ActsModule {}
