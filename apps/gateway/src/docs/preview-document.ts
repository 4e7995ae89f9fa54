import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { GatewayModule, type GatewayParts } from '../gateway.module.ts';
import { gatewayAdapter } from '../http/gateway-adapter.ts';
import { openApiDocument } from './setup-docs.ts';

/** The document that a gateway serves at /docs-json, without one: nothing is opened, no class is instantiated. */
export async function previewDocument(): Promise<OpenAPIObject> {
  const parts = { config: {}, database: {} } as unknown as GatewayParts;
  const options = { preview: true, logger: false, abortOnError: false } as const;
  return openApiDocument(await NestFactory.create(GatewayModule.forRoot(parts), gatewayAdapter(), options));
}
