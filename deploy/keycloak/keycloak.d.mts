export interface Keycloak {
  /** Its address, without a path. */
  readonly url: string;
  /** Of the realm `master`. */
  readonly admin: { username: string; password: string };
  /** Stops it; its realms are lost. */
  stop(): Promise<void>;
}

export function startKeycloak(): Promise<Keycloak>;

export function whyNoKeycloak(): string | undefined;
