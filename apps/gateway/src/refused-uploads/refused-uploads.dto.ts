import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { MayBeLeftOut } from '../http/may-be-left-out.ts';
import { NumberFromText } from '../http/number-from-text.ts';
import { REFUSAL_REASONS, REFUSED_KINDS } from './refused-upload.ts';

const DAYS_DEFAULT = 7;
const DAYS_MAX = 90;

export class RefusedUploadsQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: DAYS_MAX,
    default: DAYS_DEFAULT,
    description: 'Number of days in UTC, of which today is the last one',
  })
  @MayBeLeftOut()
  @NumberFromText()
  @IsInt()
  @Min(1)
  @Max(DAYS_MAX)
  days: number = DAYS_DEFAULT;
}

/** The refused uploads of a day, kind, status and reason. */
export class RefusedUploadDto {
  @ApiProperty({ format: 'date', description: 'Day in UTC' })
  day!: string;
  @ApiProperty({
    enum: REFUSED_KINDS,
    description:
      '`signal`: `POST /api/v3/signals`; `zip`: `POST /api/v3/signals/zip`; `report`: `POST /api/v3/reports`; `import`: ' +
      "imports of DefectDojo's clients",
  })
  kind!: string;
  @ApiProperty({ type: 'integer', minimum: 400, maximum: 499, description: 'HTTP status of the answer' })
  status!: number;
  @ApiProperty({
    enum: REFUSAL_REASONS,
    description:
      '`content`: the signal, the ZIP or the report is not valid; `request`: the query, the headers or the form are not ' +
      'valid, or the connection was closed before the end; `tooLarge`; `mediaType`; `conflict`: the `Idempotency-Key` ' +
      'belongs to another upload or to one in progress, or an import contradicts a known name; `lag`: the processing lags by ' +
      'more than `maxLagSeconds`; `minuteLimit`, `dayLimit`: quotas of JSON signals; `memory`: too many bytes in requests at ' +
      'a time; `busy`: too many ZIPs or reports in progress',
  })
  reason!: string;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Number of refused uploads at all gateways' })
  count!: number;
  @ApiProperty({ format: 'date-time', description: 'Time of the last one' })
  lastAt!: string;
}

export class RefusedUploadsDto {
  @ApiProperty({ format: 'date', description: 'First day in UTC' })
  from!: string;
  @ApiProperty({ type: [RefusedUploadDto], description: 'Newest day first; of a day, most refusals first' })
  items!: RefusedUploadDto[];
}
