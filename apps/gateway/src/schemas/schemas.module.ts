import { Module } from '@nestjs/common';
import { RegisteredSchemas } from '#libs/schema-registry';
import { KnownSchemas } from './known-schemas.ts';
import { SchemasController } from './schemas.controller.ts';
import { SchemasService } from './schemas.service.ts';
import { SignalSchemaController } from './signal-schema.controller.ts';

@Module({
  controllers: [SchemasController, SignalSchemaController],
  providers: [RegisteredSchemas, KnownSchemas, SchemasService],
})
export class SchemasModule {}
