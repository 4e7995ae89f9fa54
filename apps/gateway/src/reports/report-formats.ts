import { BadRequestException, Inject, Injectable } from '@nestjs/common';
import { type Config, ConfigError } from '#libs/config';
import { type Format, formatNamed, knownFormats, WrongMap } from '#libs/reports';
import { CONFIG } from '../tokens.ts';

/** The formats of reports, with the maps in `POSTURE_MAPS`, as they were at the start. */
@Injectable()
export class ReportFormats {
  private formats: Format[] | null = null;

  /** @throws ConfigError if a map in `POSTURE_MAPS` is wrong */
  constructor(@Inject(CONFIG) private readonly config: Config) {
    if (config.mapFolder !== undefined) this.read();
  }

  all(): Format[] {
    return this.formats ?? this.read();
  }

  /**
   * The format that a caller names; null if it names none.
   * @throws BadRequestException if it is unknown
   */
  named(name: string | undefined): Format | null {
    if (name === undefined) return null;
    const format = formatNamed(name, this.all());
    if (format) return format;
    throw new BadRequestException(
      `format must be one of ${this.all()
        .map((each) => each.name)
        .join(', ')}`,
    );
  }

  private read(): Format[] {
    try {
      this.formats = knownFormats(this.config.mapFolder);
      return this.formats;
    } catch (error) {
      if (!(error instanceof WrongMap)) throw error;
      throw new ConfigError(`POSTURE_MAPS: ${[error.message, ...error.details].join('; ')}`);
    }
  }
}
