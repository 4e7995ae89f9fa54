/** Injects the structured log (`Logger`). */
export const LOGGER = Symbol('LOGGER');
/** Injects the secret that keys are derived from (`Buffer`). */
export const SECRET_KEY = Symbol('SECRET_KEY');
/** Injects the settings in force (`SettingsSource`). */
export const SETTINGS = Symbol('SETTINGS');
