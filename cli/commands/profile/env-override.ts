import type { Cli } from '../../cli.ts'

/** Environment variables that override the profile in use. */
const OVERRIDING_VARIABLES = ['TOLLGATE_SERVER', 'TOLLGATE_PROFILE', 'DATABASE_URL']

/** Warns if the environment overrides the profile in use. */
export function warnEnvOverride(cli: Pick<Cli, 'env' | 'note' | 't'>): void {
  const variable = OVERRIDING_VARIABLES.find((name) => cli.env[name])
  if (variable) cli.note(cli.t('server.isSetAndTakesPrecedence', { stronger: variable }))
}
