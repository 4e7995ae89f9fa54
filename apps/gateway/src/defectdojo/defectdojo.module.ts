import { Module } from '@nestjs/common';
import { ReportsModule } from '../reports/reports.module.ts';
import { ImportContextsController } from './import-contexts.controller.ts';
import { ImportContextsRepository } from './import-contexts.repository.ts';
import { ImportContexts } from './import-contexts.service.ts';
import { ImportsController } from './imports.controller.ts';
import { UnsupportedResourcesController } from './unsupported-resources.controller.ts';

@Module({
  imports: [ReportsModule],
  controllers: [ImportsController, ImportContextsController, UnsupportedResourcesController],
  providers: [ImportContexts, ImportContextsRepository],
})
export class DefectDojoModule {}
