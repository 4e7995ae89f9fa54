import { ApiProperty } from '@nestjs/swagger';

export class AccessTokenDto {
  @ApiProperty({ description: 'Send it as `Authorization: Bearer <accessToken>`' })
  accessToken!: string;
  @ApiProperty({ enum: ['success'] })
  status!: 'success';
  @ApiProperty({ description: 'Seconds until the token expires', example: 3600 })
  expiresIn!: number;
}
