import { ApiProperty } from '@nestjs/swagger';

export class SchemaDto {
  @ApiProperty({ description: 'An Avro schema, as JSON in a string' })
  schema!: string;
}

/** A version of a subject, as a Confluent schema registry has it. */
export class RegisteredSchemaDto extends SchemaDto {
  @ApiProperty({ example: 'posture.findings-value' })
  subject!: string;
  @ApiProperty({
    example: 1001,
    description:
      'Id in bytes 1 to 4 of the records. If a schema registry is configured, the id is the one of that registry',
  })
  id!: number;
  @ApiProperty({ minimum: 1 })
  version!: number;
}

export class RegistryErrorDto {
  @ApiProperty({
    enum: [40401, 40402, 40403],
    description: '40401: unknown subject; 40402: unknown version; 40403: unknown schema',
  })
  error_code!: number;
  @ApiProperty()
  message!: string;
}
