import { describe, expect, it } from '@jest/globals';
import type { PulledSignal } from '#libs/integrations';
import { ListedDevices } from './listed-devices.ts';

const described = (name: string, deviceId?: string): PulledSignal => ({
  id: 'x',
  name: 'Host',
  entityOnly: true,
  entity: { type: 'machine', name },
  ...(deviceId !== undefined && { deviceId }),
});

describe('the devices of a pull', () => {
  it('are listed under the entity of their name only', () => {
    const listed = new ListedDevices();
    listed.add(described('WEB-1.corp.example', 'e1'));
    expect(listed.has('e1', 'machine:web-1')).toBe(true);
    expect(listed.has('e1', 'machine:web-2')).toBe(false);
    expect(listed.has('e2', 'machine:web-1')).toBe(false);
  });

  it('are none if no signal is of a device', () => {
    const listed = new ListedDevices();
    listed.add(described('web-1'));
    expect(listed).toMatchObject({ isEmpty: true, isCut: false });
  });
});
