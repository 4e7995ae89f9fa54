/** Injects the schema registry of the configuration (`RegistryClient`); null if it names none. */
export const SCHEMA_REGISTRY = Symbol('SCHEMA_REGISTRY');
