import type { Cli } from '../../cli.ts'

/** What chooses a gateway before a profile in use does. */
const STRONGER = ['TOLLGATE_SERVER', 'TOLLGATE_PROFILE', 'DATABASE_URL']

/** Says so where the environment keeps commands from being for the profile in use. */
export function noteStronger(cli: Pick<Cli, 'env' | 'note' | 'say'>): void {
  const stronger = STRONGER.find((variable) => cli.env[variable])
  if (stronger) cli.note(cli.say`Here ${stronger} is set, which comes first.`)
}
