/** What a Confluent schema registry answers in. */
export const REGISTRY_MEDIA_TYPE = 'application/vnd.schemaregistry.v1+json';
