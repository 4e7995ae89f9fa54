import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { RolesController } from './roles.controller.ts';
import { RolesRepository } from './roles.repository.ts';
import { RolesService } from './roles.service.ts';

@Module({
  imports: [ActsModule],
  controllers: [RolesController],
  providers: [RolesRepository, RolesService],
})
export class RolesModule {}
