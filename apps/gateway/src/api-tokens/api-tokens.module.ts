import { Module } from '@nestjs/common';
import { ActsModule } from '../acts/acts.module.ts';
import { ApiTokensController } from './api-tokens.controller.ts';
import { ApiTokensRepository } from './api-tokens.repository.ts';
import { ApiTokensService } from './api-tokens.service.ts';

@Module({
  imports: [ActsModule],
  controllers: [ApiTokensController],
  providers: [ApiTokensRepository, ApiTokensService],
})
export class ApiTokensModule {}
