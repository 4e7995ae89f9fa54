import { type Config, listOf } from '#libs/config';

const ALL_ROLES = '*';

/** The roles whose credentials must have a second factor (`SECOND_FACTOR_ROLES`). */
export class SecondFactorRoles {
  /** As configured, without `*`. */
  readonly names: readonly string[];
  private readonly isAll: boolean;

  constructor({ secondFactorRoles }: Pick<Config, 'secondFactorRoles'>) {
    const roles = secondFactorRoles === undefined ? [] : listOf(secondFactorRoles);
    this.names = roles.filter((role) => role !== ALL_ROLES);
    this.isAll = roles.includes(ALL_ROLES);
  }

  /** @param isBreakGlass the credential for emergencies need not have one, so that it always works */
  require(role: string, isBreakGlass: boolean): boolean {
    return !isBreakGlass && (this.isAll || this.names.includes(role));
  }
}
