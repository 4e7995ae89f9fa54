import { Module } from '@nestjs/common';
import { SavedViewsController } from './saved-views.controller.ts';
import { SavedViewsRepository } from './saved-views.repository.ts';
import { SavedViewsService } from './saved-views.service.ts';

@Module({
  controllers: [SavedViewsController],
  providers: [SavedViewsRepository, SavedViewsService],
})
export class SavedViewsModule {}
