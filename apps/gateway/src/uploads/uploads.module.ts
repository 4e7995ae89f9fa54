import { Module } from '@nestjs/common';
import { UploadsController } from './uploads.controller.ts';
import { UploadsRepository } from './uploads.repository.ts';
import { UploadsService } from './uploads.service.ts';

@Module({ controllers: [UploadsController], providers: [UploadsRepository, UploadsService] })
export class UploadsModule {}
