import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { UserActs } from './user-acts.ts';
import { UserGroupsRepository } from './user-groups.repository.ts';
import { UsersController } from './users.controller.ts';
import { UsersRepository } from './users.repository.ts';
import { UsersService } from './users.service.ts';

@Module({
  imports: [ActsModule, SessionsModule],
  controllers: [UsersController],
  providers: [UserActs, UserGroupsRepository, UsersRepository, UsersService],
  exports: [UserActs, UserGroupsRepository, UsersRepository],
})
export class UsersModule {}
