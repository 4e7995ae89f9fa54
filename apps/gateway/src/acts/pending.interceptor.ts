import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiAcceptedResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { INTAKE_TOPIC } from '#libs/intake';
import { PendingAct, PendingActDto } from './pending-act.ts';

/** Answers 202 with the position if an act is in the log and not yet folded. */
@Injectable()
class PendingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer: unknown) => {
        if (!(answer instanceof PendingAct)) return answer;
        void reply.status(202);
        return pendingView(answer);
      }),
    );
  }
}

const pendingView = ({ position }: PendingAct) => ({
  message: 'the change is stored in the log and takes effect after processing',
  position: { topic: INTAKE_TOPIC, ...position },
});

/** A route that returns a `PendingAct` instead if its act is not folded in time. */
export const MayBePending = () =>
  applyDecorators(
    UseInterceptors(PendingInterceptor),
    ApiAcceptedResponse({ type: PendingActDto, description: 'Stored in the log, processing pending' }),
  );
