import type { Cli } from '../../cli.ts'

/** Variables that override the profile in use. */
const STRONGER = ['TOLLGATE_SERVER', 'TOLLGATE_PROFILE', 'DATABASE_URL']

/** Warns if the environment overrides the profile in use. */
export function warnEnvOverride(cli: Pick<Cli, 'env' | 'note' | 't'>): void {
  const stronger = STRONGER.find((variable) => cli.env[variable])
  if (stronger) cli.note(cli.t('server.isSetAndTakesPrecedence', { stronger }))
}
