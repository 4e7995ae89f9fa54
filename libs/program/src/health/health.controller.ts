import { Controller, Get, HttpCode, Inject, ServiceUnavailableException } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import { type Kysely, sql } from 'kysely';
import { DATABASE, type Schema } from '#libs/database';
import { EVENT_LOG, type EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { Public } from '../auth/roles.ts';
import { HealthDto, LivenessDto } from './health.dto.ts';

const CHECK_MS_MAX = 2_000;

@ApiTags('health')
@Public()
@Controller('health')
export class HealthController {
  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(DATABASE) private readonly db: Kysely<Schema>,
  ) {}

  @Get('live')
  @HttpCode(200)
  @ApiOperation({ summary: 'The process answers' })
  @ApiOkResponse({ type: LivenessDto })
  live(): LivenessDto {
    return { status: 'live' };
  }

  @Get('ready')
  @ApiOperation({ summary: 'This process can do its own work: the log takes appends' })
  @ApiOkResponse({ type: HealthDto })
  @ApiServiceUnavailableResponse({ description: 'the log is away; `dependencies` names what is' })
  async ready(): Promise<HealthDto> {
    const [log, database] = await Promise.all([
      isAnswering(this.log.ends(INTAKE_TOPIC)),
      isAnswering(sql`select 1`.execute(this.db)),
    ]);
    const dependencies = { log: log ? 'up' : 'down', database: database ? 'up' : 'down' } as const;
    if (!log) throw new ServiceUnavailableException({ message: 'the log does not answer', dependencies });
    return { status: 'ready', dependencies };
  }
}

async function isAnswering(check: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_MS_MAX);
  });
  try {
    return await Promise.race([check.then(() => true), tooLate]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
