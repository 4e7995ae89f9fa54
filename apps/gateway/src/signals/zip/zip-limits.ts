import { MEGABYTE } from '../../http/http-limits.ts';

/** Size of the part (R-ZIP-8); above it 413. */
export const ZIP_BYTES_MAX = 5 * MEGABYTE;
/** Unpacked (R-ZIP-8); above these 400. */
export const ENTRY_BYTES_MAX = MEGABYTE;
export const UNPACKED_BYTES_MAX = 200 * MEGABYTE;
export const ENTRIES_MAX = 100_000;
/** Entry names are stored in the log with every event; Windows and macOS do not permit longer paths either. */
export const ENTRY_NAME_BYTES_MAX = 1_024;
