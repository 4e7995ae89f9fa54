/**
 * Returns the names of the existing assets that a source has described as these devices, by the ids of the devices; at
 * most 50,000 ids. Devices of no asset, or of several, are missing in the result.
 *
 * @param source of the signals
 */
export type DeviceLookup = (
  source: string,
  deviceIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>;
