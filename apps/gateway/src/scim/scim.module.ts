import { Module } from '@nestjs/common';
import { SignInsModule } from '../sign-ins/sign-ins.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { ScimController } from './scim.controller.ts';
import { ScimGroupsService } from './scim-groups.service.ts';
import { ScimUsersService } from './scim-users.service.ts';

@Module({
  imports: [SignInsModule, UsersModule],
  controllers: [ScimController],
  providers: [ScimGroupsService, ScimUsersService],
})
export class ScimModule {}
