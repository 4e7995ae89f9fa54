import { describe, expect, it } from '@jest/globals';
import { createLogger, NestLogger } from './logger.ts';

const record = (level: 'trace' | 'info' = 'trace') => {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger(level, { write: (line) => void lines.push(JSON.parse(line)) });
  return { logger, lines };
};

describe('createLogger', () => {
  it('blanks secrets at every depth it is given them', () => {
    const { logger, lines } = record();
    logger.info({
      password: 'hunter2',
      headers: { authorization: 'Bearer abc' },
      req: { headers: { authorization: 'Basic YTpi', cookie: 'c' } },
      answer: { accessToken: 'eyJ' },
    });
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|Bearer|YTpi|eyJ|"c"/);
    expect(lines[0]).toMatchObject({ level: 'info', password: '[redacted]' });
  });

  it('writes the name and message of an error, not the fields that a driver adds', () => {
    const { logger, lines } = record();
    const error = Object.assign(new Error('lost'), { code: '57P01', client: { host: 'db.internal' } });
    logger.warn({ err: error }, 'x');
    expect(lines[0]!.err).toEqual({
      type: 'Error',
      message: 'lost',
      code: '57P01',
      stack: expect.stringContaining('lost'),
    });
  });

  it('writes ISO times', () => {
    const { logger, lines } = record();
    logger.warn('x');
    expect(lines[0]).toEqual({ level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/), msg: 'x' });
  });
});

describe('NestLogger', () => {
  it('keeps context, stack and errors', () => {
    const { logger, lines } = record();
    const nest = new NestLogger(logger);
    nest.warn('careful', 'Router');
    nest.error('broken', 'Error: broken\n    at here', 'Router');
    nest.error(new Error('thrown'), 'Router');
    expect(lines).toMatchObject([
      { level: 'warn', msg: 'careful', context: 'Router' },
      { level: 'error', msg: 'broken', context: 'Router', stack: expect.stringContaining('at here') },
      { level: 'error', msg: 'thrown', context: 'Router', err: { message: 'thrown' } },
    ]);
  });

  it('does not fill an info log with start-up messages', () => {
    const { logger, lines } = record('info');
    new NestLogger(logger).log('Mapped {/x, GET} route', 'RouterExplorer');
    expect(lines).toEqual([]);
  });
});
