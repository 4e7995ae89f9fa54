import { Injectable } from '@nestjs/common';
import { NextLook } from '../next-look.ts';

/** When this gateway has to look for reports to send. */
@Injectable()
export class NextReportLook extends NextLook {}
