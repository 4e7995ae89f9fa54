import { type ComponentType, lazy } from 'react';

const failed = new Set<() => void>();

/** As React's `lazy`, but what failed to load is loaded again after `forgetFailedLoads`. */
export function lazyAgain<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const anew = (): ComponentType<Props> =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        failed.add(() => {
          Loaded = anew();
        });
        throw error;
      }
    }) as unknown as ComponentType<Props>;
  let Loaded = anew();
  return function Again(props: Props) {
    return <Loaded {...props} />;
  };
}

/** To be called once the failure is shown: before that, each new try would follow the last one at once. */
export function forgetFailedLoads(): void {
  for (const forget of failed) forget();
  failed.clear();
}
