import { Module } from '@nestjs/common';
import { ExportSlots } from './export-slots.ts';
import { SealedCursors } from './sealed-cursors.ts';

@Module({ providers: [ExportSlots, SealedCursors], exports: [ExportSlots, SealedCursors] })
export class PagingModule {}
