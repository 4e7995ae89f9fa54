import { Module } from '@nestjs/common';
import { ProjectionModule } from '../projection/projection.module.ts';
import { ReportInstants } from './report-instants.ts';

/** What all reports share. */
@Module({ imports: [ProjectionModule], providers: [ReportInstants], exports: [ReportInstants] })
export class ReportPagesModule {}
