import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { SecurityEventsQuery } from './security-event.dto.ts';

const FORMATS = ['jsonl', 'ocsf', 'syslog'] as const;

/** The query of an export of security events: that of the list, without paging. */
export class SecurityEventsExportQuery extends OmitType(SecurityEventsQuery, ['limit', 'cursor'] as const) {
  @ApiProperty({
    enum: FORMATS,
    description:
      'JSON lines (one list item per line), OCSF Authentication events (one per line), or syslog messages of RFC 5424, ' +
      'each with an OCSF event as its text',
  })
  @IsIn(FORMATS)
  format!: (typeof FORMATS)[number];
}
