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
    description: 'In bytes 1 to 4 of the records; that of the schema registry where one is configured',
  })
  id!: number;
  @ApiProperty({ minimum: 1 })
  version!: number;
}

export class RegistryErrorDto {
  @ApiProperty({ enum: [40401, 40402, 40403], description: 'No such subject, version or schema' })
  error_code!: number;
  @ApiProperty()
  message!: string;
}
