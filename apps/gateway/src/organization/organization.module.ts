import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { AssetsModule } from '../assets/assets.module.ts';
import { DepartmentsController, LocationsController } from './asset-options.controller.ts';
import { CustomFieldsController } from './custom-fields.controller.ts';
import { OrganizationActs } from './organization-acts.service.ts';
import { OrganizationStore } from './organization-store.ts';
import { OsMappingController } from './os-mapping.controller.ts';
import { SettingsController } from './settings.controller.ts';

@Module({
  imports: [ActsModule, AssetsModule],
  controllers: [
    SettingsController,
    DepartmentsController,
    LocationsController,
    CustomFieldsController,
    OsMappingController,
  ],
  providers: [OrganizationActs, OrganizationStore],
  exports: [OrganizationActs, OrganizationStore],
})
export class OrganizationModule {}
