import { IsSeenVersion } from '../http/seen-version.ts';

export class FindingVersionDto {
  @IsSeenVersion('finding')
  version?: number;
}
