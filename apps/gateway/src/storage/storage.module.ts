import { Module } from '@nestjs/common';
import { StorageController } from './storage.controller.ts';
import { StorageRepository } from './storage.repository.ts';
import { Storage } from './storage.service.ts';

@Module({
  controllers: [StorageController],
  providers: [StorageRepository, Storage],
})
export class StorageModule {}
