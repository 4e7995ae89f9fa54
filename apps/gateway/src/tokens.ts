/** Injects the configuration (`Config`). */
export const CONFIG = Symbol('CONFIG');
/** Injects the structured log (`Logger`). */
export const LOGGER = Symbol('LOGGER');
/** Injects the secrets that keys are derived from, the newest first (`Buffer[]`). */
export const SECRET_KEYS = Symbol('SECRET_KEYS');
/** Injects the settings in force (`SettingsSource`). */
export const SETTINGS = Symbol('SETTINGS');
/** Injects what delivers the inbox, or null (`GatewayParts.inbox`). */
export const CONSUMER_SERVERS = Symbol('CONSUMER_SERVERS');
/** Injects outbound traffic of the service (`Egress`). */
export const EGRESS = Symbol('EGRESS');
