import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { PagingModule } from '../paging/paging.module.ts';
import { AuditController } from './audit.controller.ts';
import { AuditRepository } from './audit.repository.ts';

@Module({
  imports: [ActsModule, PagingModule],
  controllers: [AuditController],
  providers: [AuditRepository],
})
export class AuditModule {}
