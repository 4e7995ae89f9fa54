import { Injectable } from '@nestjs/common';
import { NextLook } from '../next-look.ts';

/** When this gateway has to look for messages of notifications to send. */
@Injectable()
export class NextMessageLook extends NextLook {}
