import { IsSeenVersion } from '../http/seen-version.ts';

export class SeenVersionDto {
  @IsSeenVersion('finding')
  version?: number;
}
