import { ApiProperty } from '@nestjs/swagger';
import type { Config } from '#libs/config';

/** How requests of integrations leave the service (D32). */
export class EgressDto {
  @ApiProperty({
    type: String,
    nullable: true,
    example: '203.0.113.7',
    description:
      'The address that they come from, to be allowed by the systems that are asked; null where the operator has not said (EGRESS_PUBLISHED_IP)',
  })
  publishedIp!: string | null;

  @ApiProperty({ description: 'Whether they go through a proxy (EGRESS_PROXY)' })
  proxy!: boolean;
}

export const egressView = ({
  egressProxy,
  egressPublishedIp,
}: Pick<Config, 'egressProxy' | 'egressPublishedIp'>): EgressDto => ({
  publishedIp: egressPublishedIp ?? null,
  proxy: egressProxy !== undefined,
});
