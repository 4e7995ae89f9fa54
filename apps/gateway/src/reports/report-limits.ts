import { ZIP_LIMITS, type ZipLimits } from '#libs/signal-zips';
import { MEGABYTE } from '../http/http-limits.ts';

/** Of a report, uncompressed (R-REP-3). */
export const REPORT_BYTES_MAX = 32 * MEGABYTE;
/** Reports at a time that arrive or are converted. */
export const REPORTS_MAX = 2;
/** A report becomes one upload: unpacked its signals have the limits of a ZIP. */
export const SIGNALS_MAX: ZipLimits = { ...ZIP_LIMITS, zipBytesMax: 16 * MEGABYTE };
/** Of the temporary files of one conversion beside the report: `/tmp` may be in memory (docker-compose.yml). */
export const SPILLED_BYTES_MAX = 96 * MEGABYTE;
/** For the conversion, with the wait for a thread; shorter than the wait of a silent connection. */
export const CONVERSION_MS_MAX = 60_000;
/** Findings and reasons that an answer lists. */
export const LISTED_MAX = 100;
