import type { Settings } from '#libs/domain';

/** The settings in force at the moment; every upload is decided with one of their versions. */
export type SettingsSource = () => Settings;
