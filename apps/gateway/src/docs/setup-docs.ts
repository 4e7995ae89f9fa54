import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { signalSchema } from '#libs/contracts';
import { FEATURES } from '../gateway.module.ts';
import { describeChecks } from './describe-checks.ts';
import { describeErrors } from './describe-errors.ts';
import { describeOperations } from './describe-operations.ts';
import { openApiSchemas } from './openapi-schemas.ts';

const DESCRIPTION = `
Sign in at \`POST /api/v3/auth\` with HTTP Basic and send the token as \`Authorization: Bearer <accessToken>\`.
A 200 for an upload means that the log has stored it. \`GET /api/v3/uploads/{id}\` returns its outcome.
Errors have the form \`{statusCode, error, message}\`. \`message\` is always a string.
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
  const document = FEATURES.map((feature) =>
    SwaggerModule.createDocument(app, config, { autoTagControllers: false, include: [feature] }),
  ).reduce(joined);
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...openApiSchemas('Signal', signalSchema) },
  };
  describeOperations(document);
  describeErrors(document);
  return document;
}

/** Nest lists modules in the order in which they import each other; the document has the order of the features. */
function joined(document: OpenAPIObject, next: OpenAPIObject): OpenAPIObject {
  const paths = { ...document.paths };
  for (const [path, item] of Object.entries(next.paths)) paths[path] = { ...paths[path], ...item };
  const schemas = { ...document.components?.schemas, ...next.components?.schemas };
  return { ...document, paths, components: { ...document.components, schemas } };
}

/** Swagger UI at /docs, its document at /docs-json, built at the first request: most starts never serve it. */
export function setupDocs(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), { customSiteTitle: 'Risk Posture Service' });
}
