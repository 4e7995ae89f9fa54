import { ApiProperty } from '@nestjs/swagger';

export class DiskDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Free space in bytes' })
  freeBytes!: number;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Size in bytes' })
  sizeBytes!: number;
}

/** The space that the service uses, and what is left, measured within the last minute. */
export class StorageDto {
  @ApiProperty({ format: 'date-time' })
  measuredAt!: string;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Size of the database in bytes, with indexes, the log in PostgreSQL, and removed rows',
  })
  databaseBytes!: number;
  @ApiProperty({
    type: DiskDto,
    nullable: true,
    description:
      'File system of `DATA_DIR` of the gateway that answers, which contains an embedded PostgreSQL. The disk of another ' +
      'PostgreSQL is not known. null if the gateway has no such directory',
  })
  dataDir!: DiskDto | null;
}
