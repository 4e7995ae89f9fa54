/** In bytes: 1 MB is 1,048,576. */
export const MEGABYTE = 1_048_576;
/** Largest body of every route except the ZIP upload. */
export const BODY_BYTES_MAX = MEGABYTE;
/** Largest body of a route that asks for no token: above all logout tokens, of 16 KB. */
export const PUBLIC_BODY_BYTES_MAX = 32_768;

/** A whole request must arrive within this time: a 5 MB upload at 42 KB/s does. */
export const REQUEST_MS_MAX = 120_000;
export const HEADERS_MS_MAX = 15_000;
/** Interval at which the two limits above are checked. A connection can end later by this time. */
export const OVERDUE_LOOK_MS = 5_000;
/** Longer than the longest `Prefer: wait`, during which a connection is silent. */
export const SILENCE_MS_MAX = 90_000;
export const KEEP_ALIVE_MS = 65_000;
/** Request line and headers together. */
export const HEADER_BYTES_MAX = 16_384;
export const PATH_PARAMETER_CHARACTERS_MAX = 200;

/**
 * At a stop, connections that are open for longer are closed. A longer `Prefer: wait` ends without an answer: its upload
 * is stored. The grace periods of docker-compose.yml and deploy/ are longer.
 */
export const STOP_MS_MAX = 20_000;

/** Connections at a time, of a few KB each. */
export const CONNECTIONS_MAX = 2_048;
/** Minimum rate of a body for which the service has waited longer than `afterMs`, averaged over the wait. */
export const PACE = { afterMs: 10_000, bytesPerSecond: 1_024 };
