import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { GatewayModule } from '../gateway.module.ts';
import { gatewayAdapter } from '../http/gateway-adapter.ts';
import type { GatewayParts } from '../resources.module.ts';
import { openApiDocument } from './setup-docs.ts';

/** A gateway whose routes can be read: nothing is opened, no class is instantiated. */
export function previewGateway(): Promise<INestApplication> {
  const parts = { config: {}, database: {} } as unknown as GatewayParts;
  const options = { preview: true, logger: false, abortOnError: false } as const;
  return NestFactory.create(GatewayModule.forRoot(parts), gatewayAdapter(), options);
}

/** The document that a gateway serves at /docs-json, without one. */
export const previewDocument = async (): Promise<OpenAPIObject> => openApiDocument(await previewGateway());
