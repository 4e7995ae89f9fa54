import { expect, it } from '@jest/globals';
import { atScrape, readMetrics } from './exposition.ts';
import { gauge } from './registry.ts';

const depth = gauge({ name: 'posture_test_depth', help: 'Of a test' });
const failures = async (source: string) =>
  Number(
    new RegExp(`posture_scrape_failures_total\\{source="${source}"\\} (\\d+)`).exec(await readMetrics())?.[1],
  );

it('asks at every scrape, and no more when it is over', async () => {
  let asked = 0;
  const end = atScrape('depth', () => depth.set(++asked));
  expect(await readMetrics()).toContain('posture_test_depth 1\n');
  expect(await readMetrics()).toContain('posture_test_depth 2\n');
  end();
  expect(await readMetrics()).toContain('posture_test_depth 2\n');
});

it('shares one result between concurrent callers', async () => {
  let asked = 0;
  const end = atScrape('depth', () => depth.set(++asked));
  await Promise.all([readMetrics(), readMetrics(), readMetrics()]);
  expect(asked).toBe(1);
  end();
});

it('is reported once for a part that runs twice, by the later one', async () => {
  const endFirst = atScrape('depth', () => depth.set(7));
  const endSecond = atScrape('depth', () => depth.set(8));
  endFirst();
  expect(await readMetrics()).toContain('posture_test_depth 8\n');
  endSecond();
});

it('answers without a source that fails, and says so', async () => {
  const end = atScrape('broken', () => Promise.reject(new Error('away')));
  expect(await failures('broken')).toBe(1);
  expect(await failures('broken')).toBe(2);
  end();
});
