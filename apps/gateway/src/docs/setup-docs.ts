import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { signalSchema } from '#libs/contracts';
import { describeChecks } from './describe-checks.ts';
import { describeErrors } from './describe-errors.ts';
import { describeOperations } from './describe-operations.ts';
import { openApiSchemas } from './openapi-schemas.ts';

const DESCRIPTION = `
Sign in at \`POST /api/v3/auth\` with HTTP Basic and send the token as \`Authorization: Bearer <accessToken>\`.
A 200 on an upload says that the log holds it; \`GET /api/v3/uploads/{id}\` says what became of it.
Errors are \`{statusCode, error, message}\`, \`message\` always one string.
`;

/** The OpenAPI document of every route; the schema that checks signals is the schema that it shows. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Risk Posture Service')
    .setDescription(DESCRIPTION.trim())
    .setVersion('3')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'This service')
    .addBearerAuth()
    .addBasicAuth()
    .build();
  describeChecks();
  const document = SwaggerModule.createDocument(app, config, { autoTagControllers: false });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...openApiSchemas('Signal', signalSchema) },
  };
  describeOperations(document);
  describeErrors(document);
  return document;
}

/** Swagger UI at /docs, its document at /docs-json. */
export function setupDocs(app: INestApplication): void {
  SwaggerModule.setup('docs', app, openApiDocument(app), { customSiteTitle: 'Risk Posture Service' });
}
