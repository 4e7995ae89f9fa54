import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { AuditController } from './audit.controller.ts';
import { AuditRepository } from './audit.repository.ts';
import { SealedCursors } from './sealed-cursors.ts';

@Module({
  imports: [ActsModule],
  controllers: [AuditController],
  providers: [AuditRepository, SealedCursors],
})
export class AuditModule {}
