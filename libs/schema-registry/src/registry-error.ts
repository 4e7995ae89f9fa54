/** The registry has not taken a schema: the message is a sentence that says why. The same may succeed later. */
export class SchemaRegistryError extends Error {
  override name = 'SchemaRegistryError';
}
