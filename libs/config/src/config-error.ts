/** An environment variable has a value that the service cannot run with; the message says which and why. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
