import { Controller, Get, Header, Param, Query, UseFilters } from '@nestjs/common';
import {
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { Public } from '../auth/roles.ts';
import { REGISTRY_MEDIA_TYPE } from './media-type.ts';
import { RegisteredSchemaDto, RegistryErrorDto, SchemaDto } from './schema.dto.ts';
import { SchemaNotFoundFilter } from './schema-not-found.ts';
import { SchemasService } from './schemas.service.ts';

/**
 * Answers like a Confluent schema registry, read-only, so that its clients decode the topics without another service.
 * Schemas hold no data: no token is asked for.
 */
@ApiTags('schemas')
@ApiProduces(REGISTRY_MEDIA_TYPE)
@Public()
@UseFilters(SchemaNotFoundFilter)
@Controller()
export class SchemasController {
  constructor(private readonly schemas: SchemasService) {}

  @Get('schemas/ids/:id')
  @Header('content-type', REGISTRY_MEDIA_TYPE)
  @ApiOperation({ summary: 'The Avro schema of an id' })
  @ApiOkResponse({ type: SchemaDto })
  @ApiNotFoundResponse({ type: RegistryErrorDto })
  @ApiQuery({
    name: 'subject',
    required: false,
    description: 'Where the id was read: an id that means two schemas is that of the subject’s topic',
  })
  byId(@Param('id') id: string, @Query('subject') subject?: unknown): Promise<SchemaDto> {
    return this.schemas.byId(id, typeof subject === 'string' ? subject : undefined);
  }

  @Get('subjects')
  @Header('content-type', REGISTRY_MEDIA_TYPE)
  @ApiOperation({ summary: 'Names of all subjects' })
  @ApiOkResponse({ type: [String] })
  subjects(): string[] {
    return this.schemas.subjects();
  }

  @Get('subjects/:subject/versions')
  @Header('content-type', REGISTRY_MEDIA_TYPE)
  @ApiOperation({ summary: 'Version numbers of a subject' })
  @ApiOkResponse({ type: [Number] })
  @ApiNotFoundResponse({ type: RegistryErrorDto })
  versions(@Param('subject') subject: string): Promise<number[]> {
    return this.schemas.versions(subject);
  }

  @Get('subjects/:subject/versions/:version')
  @Header('content-type', REGISTRY_MEDIA_TYPE)
  @ApiOperation({ summary: 'A version of a subject; `latest` is one' })
  @ApiOkResponse({ type: RegisteredSchemaDto })
  @ApiNotFoundResponse({ type: RegistryErrorDto })
  version(
    @Param('subject') subject: string,
    @Param('version') version: string,
  ): Promise<RegisteredSchemaDto> {
    return this.schemas.version(subject, version);
  }
}
