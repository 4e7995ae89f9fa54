import { ApiProperty } from '@nestjs/swagger';
import type { Config } from '#libs/config';

/** How requests of integrations leave the service. */
export class EgressDto {
  @ApiProperty({
    type: String,
    nullable: true,
    example: '203.0.113.7',
    description:
      'Source address of the requests, for the allowlists of the connected systems; null if the operator has not set EGRESS_PUBLISHED_IP',
  })
  publishedIp!: string | null;

  @ApiProperty({ description: 'true if the requests use a proxy (EGRESS_PROXY)' })
  proxy!: boolean;
}

export const egressView = ({
  egressProxy,
  egressPublishedIp,
}: Pick<Config, 'egressProxy' | 'egressPublishedIp'>): EgressDto => ({
  publishedIp: egressPublishedIp ?? null,
  proxy: egressProxy !== undefined,
});
