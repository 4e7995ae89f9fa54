/** The media type of a Confluent schema registry. */
export const REGISTRY_MEDIA_TYPE = 'application/vnd.schemaregistry.v1+json';
