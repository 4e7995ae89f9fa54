import { Module } from '@nestjs/common';
import { ExportSlots } from './export-slots.ts';

@Module({ providers: [ExportSlots], exports: [ExportSlots] })
export class PagingModule {}
