export interface Registry {
  /** For SCHEMA_REGISTRY_URL. */
  readonly url: string;
  /** Stops it; its schemas are lost. */
  stop(): Promise<void>;
}

export function startRegistry(): Promise<Registry>;

export function whyNoRegistry(): string | undefined;
