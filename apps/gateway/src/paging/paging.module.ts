import { Module } from '@nestjs/common';
import { ExportSlots } from './export-slots.ts';
import { PastReads } from './past-reads.ts';
import { SealedCursors } from './sealed-cursors.ts';

@Module({
  providers: [ExportSlots, PastReads, SealedCursors],
  exports: [ExportSlots, PastReads, SealedCursors],
})
export class PagingModule {}
