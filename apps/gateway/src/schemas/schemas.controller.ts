import { Controller, Get, Header, Param, Query, UseFilters } from '@nestjs/common';
import {
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import { Public } from '../auth/scopes.ts';
import { REGISTRY_MEDIA_TYPE } from './media-type.ts';
import { RegisteredSchemaDto, RegistryErrorDto, SchemaDto } from './schema.dto.ts';
import { SchemaNotFoundFilter } from './schema-not-found.ts';
import { SchemasService } from './schemas.service.ts';

/**
 * Answers like a Confluent schema registry, read-only, so that its clients decode the topics without another service.
 * Schemas hold no data: no token is requested.
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
  @ApiOperation({ summary: 'Returns the Avro schema with an id' })
  @ApiOkResponse({ type: SchemaDto })
  @ApiNotFoundResponse({ type: RegistryErrorDto })
  @ApiQuery({
    name: 'subject',
    required: false,
    description: 'Subject of the record that contains the id. It is required if two schemas have the same id',
  })
  byId(@Param('id') id: string, @Query('subject') subject?: unknown): Promise<SchemaDto> {
    return this.schemas.byId(id, typeof subject === 'string' ? subject : undefined);
  }

  @Get('subjects')
  @Header('content-type', REGISTRY_MEDIA_TYPE)
  @ApiOperation({ summary: 'Lists the names of all subjects' })
  @ApiOkResponse({ type: [String] })
  subjects(): string[] {
    return this.schemas.subjects();
  }

  @Get('subjects/:subject/versions')
  @Header('content-type', REGISTRY_MEDIA_TYPE)
  @ApiOperation({ summary: 'Lists the version numbers of a subject' })
  @ApiOkResponse({ type: [Number] })
  @ApiNotFoundResponse({ type: RegistryErrorDto })
  versions(@Param('subject') subject: string): Promise<number[]> {
    return this.schemas.versions(subject);
  }

  @Get('subjects/:subject/versions/:version')
  @Header('content-type', REGISTRY_MEDIA_TYPE)
  @ApiOperation({ summary: 'Returns a version of a subject; `latest` is the last one' })
  @ApiOkResponse({ type: RegisteredSchemaDto })
  @ApiNotFoundResponse({ type: RegistryErrorDto })
  version(
    @Param('subject') subject: string,
    @Param('version') version: string,
  ): Promise<RegisteredSchemaDto> {
    return this.schemas.version(subject, version);
  }
}
