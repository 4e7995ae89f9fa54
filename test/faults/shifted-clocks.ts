import { whyNoFakeClock } from '../support/fake-clock.ts';
import { until } from '../support/until.ts';
import { type Fault, pick } from './fault.ts';
import type { ProgramName } from './site.ts';

const OFFSETS = ['+2h', '+120d', '-3h', '-120d'];
const NOTICED_MS_MAX = 60_000;

/** A clock that goes wrong while the program runs, and is set right. */
const shifting = (name: string, programs: readonly ProgramName[]): Fault => {
  const whyNot = whyNoFakeClock();
  return {
    name: `wrong clock of a ${name}`,
    ...(whyNot !== undefined && { whyNot }),
    strike: async (site, random) => {
      const program = pick(programs, random);
      await site.setClock(program, pick(OFFSETS, random));
      const readiness = async () => (await fetch(`${site.program(program).url}/health/ready`)).status;
      await until(`${program} not ready`, async () => (await readiness()) === 503, NOTICED_MS_MAX);
      return async () => {
        await site.setClock(program, '+0');
        await until(`${program} ready`, async () => (await readiness()) === 200, NOTICED_MS_MAX);
      };
    },
  };
};

export const SHIFTED_CLOCKS: readonly Fault[] = [
  shifting('gateway', ['gateway']),
  shifting('projector', ['projector', 'projector 2']),
  shifting('scorer', ['scorer']),
];
