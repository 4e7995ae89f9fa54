import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { Sample } from './sample.mjs';
import { SpecRunner } from './spec-runner.mjs';
import { Survivors } from './survivors.mjs';

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'specs', SpecRunner),
  declareClassPlugin(PluginKind.Checker, 'sample', Sample),
  declareClassPlugin(PluginKind.Reporter, 'survivors', Survivors),
];

/** Options that scripts/mutants.mjs passes to the plugins. */
export const strykerValidationSchema = {
  properties: {
    mutants: {
      type: 'object',
      properties: {
        specs: { type: 'array', items: { type: 'string' } },
        remembered: { type: 'array', items: { type: 'string' } },
        seed: { type: 'integer' },
        fraction: { type: 'number' },
        survivors: { type: 'string' },
      },
    },
  },
};
