export interface Registry {
  /** For SCHEMA_REGISTRY_URL. */
  readonly url: string;
  /** What it knows is gone with it. */
  stop(): Promise<void>;
}

export function startRegistry(): Promise<Registry>;

export function whyNoRegistry(): string | undefined;
