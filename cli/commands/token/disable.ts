import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { tokenStatus } from './status.ts'

export function tokenDisable(cli: Cli): Command {
  return tokenStatus(cli, {
    verb: 'disable',
    description: 'Refuse API keys until they are enabled again',
    example: 'tollgate token disable 1',
    done: ({ id, name }) => cli.say`Token ${id}, ${name}, is disabled.`,
  })
}
