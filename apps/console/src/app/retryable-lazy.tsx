import { type ComponentType, lazy } from 'react';

const failed = new Set<() => void>();

/** Like React's `lazy`, but loads a failed component again after `forgetFailedLoads`. */
export function retryableLazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const create = (): ComponentType<Props> =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        failed.add(() => {
          Loaded = create();
        });
        throw error;
      }
    }) as unknown as ComponentType<Props>;
  let Loaded = create();
  return function Again(props: Props) {
    return <Loaded {...props} />;
  };
}

/** Call only after the error is shown. Otherwise each failure would trigger the next attempt immediately. */
export function forgetFailedLoads(): void {
  for (const forget of failed) forget();
  failed.clear();
}
