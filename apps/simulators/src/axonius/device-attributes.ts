import type { Fields } from '../records/collection.ts';
import type { AdapterTag, Device } from './device.ts';

const ALWAYS = ['internal_axon_id', 'adapters', 'adapter_list_length'];
const TAGS = 'specific_data.data.tags';

/**
 * A device in a response: the fixed fields and the selected ones.
 * @param hasDetails whether each aggregate is followed by one value of each adapter
 */
export function deviceAttributes(device: Device, selectors: readonly string[], hasDetails: boolean): Fields {
  const attributes: Fields = {};
  for (const selector of [...ALWAYS, ...selectors]) {
    const value = selected(device, selector);
    if (value === undefined) continue;
    attributes[selector] = value;
    if (hasDetails && selector.startsWith('specific_data.')) {
      attributes[`${selector}_details`] = device.adapters.map(() => [value].flat()[0] ?? null);
    }
  }
  return attributes;
}

/** Parts of adapter tags are separate lists: `specific_data.data.tags.key`. */
function selected(device: Device, selector: string): unknown {
  const tags = device[TAGS] as AdapterTag[] | undefined;
  const part = selector.startsWith(`${TAGS}.`) ? selector.slice(TAGS.length + 1) : undefined;
  if (part === undefined) return device[selector];
  return tags?.map((tag) => tag[part as keyof AdapterTag]).filter((value) => value !== undefined);
}
